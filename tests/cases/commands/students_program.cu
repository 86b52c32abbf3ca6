#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#define N 64
#define CHECK(call) do { cudaError_t e = call; if (e) { printf("%s\n", cudaGetErrorString(e)); exit(1); } } while (0)

__constant__ float offset[2];

__global__ void square(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = x[i] * x[i] + offset[1];
}

template <typename T, int B>
__global__ void total(const T* x, T* y, int n) {
    __shared__ T s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = B / 2; d > 0; d /= 2) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = s[0];
}

int main(int argc, char** argv) {
    size_t bytes = N * sizeof(float);
    float* h_x = (float*)malloc(bytes);
    for (int i = 0; i < N; i++) h_x[i] = i % 4;
    float h_offset[2] = {0, 0.5f};

    float *d_x, *d_y;
    CHECK(cudaMalloc((void**)&d_x, bytes));
    CHECK(cudaMalloc(&d_y, 4 * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(offset, h_offset, sizeof(h_offset)));
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

    const int threads = 16;
    dim3 block(threads), grid((N + threads - 1) / threads);
    square<<<grid, block>>>(d_x, N);
    total<float, threads><<<grid, block>>>(d_x, d_y, N);
    CHECK(cudaGetLastError());

    float sums[4];
    cudaMemcpy(sums, d_y, sizeof(sums), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; ++i) printf("%f\n", sums[i]);
    return 0;
}
