#include <bits/stdc++.h>
#include <cuda.h>
using namespace std;
typedef unsigned char uchar;
typedef unsigned int uint;

enum { BINS = 256, BLOCK = 128 };

__device__ uint g_total;

__global__ void histogram(const uchar *data, uint *hist, int size)
{
    __shared__ uint local[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
    __syncthreads();
    int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < size; i += stride)
        atomicAdd(&local[data[i]], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&hist[b], local[b]);
    if (threadIdx.x == 0 && blockIdx.x == 0) g_total = size;
}

map<string, int> results;
vector<string> names = {"a", "b"};

void cpu_histogram(const vector<uchar>& data, vector<uint>& hist)
{
    for (uchar c : data) hist[c]++;
}

int main()
{
    const int size = 1 << 16;
    vector<uchar> data(size);
    generate(data.begin(), data.end(), rand);
    uchar *d_data; uint *d_hist;
    cudaMalloc(&d_data, size); cudaMalloc(&d_hist, BINS * sizeof(uint));
    cudaMemcpy(d_data, data.data(), size, cudaMemcpyHostToDevice);
    histogram<<<32, BLOCK>>>(d_data, d_hist, size);
    vector<uint> hist(BINS);
    cudaMemcpy(hist.data(), d_hist, BINS * sizeof(uint), cudaMemcpyDeviceToHost);
    cout << hist[0] << "\n";
}
