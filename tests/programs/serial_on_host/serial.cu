// Reduction and scan, serial and parallel: the serial functions are compiled for both sides, and the host compares.
#include <cstdio>
#include <cstdlib>
#include <vector>

__host__ __device__ int sum_serial(const int* in, int n)
{
    int sum = 0;
    for (int i = 0; i < n; ++i) sum += in[i];
    return sum;
}

// Exclusive; returns the total.
__host__ __device__ float scan_serial(const float* in, float* out, int n, float first)
{
    float sum = first;
    for (int i = 0; i < n; ++i) {
        out[i] = sum;
        sum += in[i];
    }
    return sum;
}

__global__ void sum_blocks(const int* in, int* out, int n)
{
    extern __shared__ int partial[];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    partial[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d) partial[t] += partial[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = partial[0];
}

// A chunk for each thread.
__global__ void scan_chunks(const float* in, float* out, int n, int chunk)
{
    int begin = threadIdx.x * chunk;
    int count = min(chunk, n - begin);
    if (count > 0) scan_serial(in + begin, out + begin, count, 0);
}

int main()
{
    const int n = 64, threads = 16, blocks = n / threads, chunk = 8;
    std::vector<int> in(n);
    for (int i = 0; i < n; ++i) in[i] = i % 7;
    int *d_in, *d_out, partial[blocks];
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum_blocks<<<blocks, threads, threads * sizeof(int)>>>(d_in, d_out, n);
    cudaMemcpy(partial, d_out, sizeof partial, cudaMemcpyDeviceToHost);
    int total = sum_serial(partial, blocks);
    printf("sum %d, serial %d\n", total, sum_serial(in.data(), n));

    float* values = (float*)malloc(n * sizeof(float));
    float* scanned = (float*)malloc(n * sizeof(float));
    float* from_device = (float*)malloc(n * sizeof(float));
    for (int i = 0; i < n; ++i) values[i] = 0.5f * (i % 3);
    float *d_values, *d_scanned;
    cudaMalloc(&d_values, n * sizeof(float));
    cudaMalloc(&d_scanned, n * sizeof(float));
    cudaMemcpy(d_values, values, n * sizeof(float), cudaMemcpyHostToDevice);
    scan_chunks<<<1, n / chunk>>>(d_values, d_scanned, n, chunk);
    cudaMemcpy(from_device, d_scanned, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int begin = 0; begin < n; begin += chunk) {
        scan_serial(values + begin, scanned + begin, chunk, 0);
        for (int i = begin; i < begin + chunk; ++i) wrong += scanned[i] != from_device[i];
    }
    printf("scan of %d chunks, %d wrong\n", n / chunk, wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_values);
    cudaFree(d_scanned);
    free(values);
    free(scanned);
    free(from_device);
}
