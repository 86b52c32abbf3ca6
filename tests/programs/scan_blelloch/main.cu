// Exclusive scan of any length: work-efficient within blocks, block sums scanned recursively.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "timer.h"

#define THREADS 64
#define ELEMENTS (2 * THREADS)

__global__ void scanBlocks(const int* in, int* out, int* sums, int n) {
    extern __shared__ int temp[];
    const int tid = threadIdx.x;
    const int base = blockIdx.x * ELEMENTS;
    temp[2 * tid] = base + 2 * tid < n ? in[base + 2 * tid] : 0;
    temp[2 * tid + 1] = base + 2 * tid + 1 < n ? in[base + 2 * tid + 1] : 0;

    int offset = 1;
    for (int d = ELEMENTS >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (tid < d) {
            const int ai = offset * (2 * tid + 1) - 1;
            const int bi = offset * (2 * tid + 2) - 1;
            temp[bi] += temp[ai];
        }
        offset *= 2;
    }
    if (tid == 0) {
        if (sums) sums[blockIdx.x] = temp[ELEMENTS - 1];
        temp[ELEMENTS - 1] = 0;
    }
    for (int d = 1; d < ELEMENTS; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (tid < d) {
            const int ai = offset * (2 * tid + 1) - 1;
            const int bi = offset * (2 * tid + 2) - 1;
            const int t = temp[ai];
            temp[ai] = temp[bi];
            temp[bi] += t;
        }
    }
    __syncthreads();
    if (base + 2 * tid < n) out[base + 2 * tid] = temp[2 * tid];
    if (base + 2 * tid + 1 < n) out[base + 2 * tid + 1] = temp[2 * tid + 1];
}

__global__ void addSums(int* data, const int* sums, int n) {
    const int base = blockIdx.x * ELEMENTS + threadIdx.x;
    if (base < n) data[base] += sums[blockIdx.x];
    if (base + THREADS < n) data[base + THREADS] += sums[blockIdx.x];
}

void scan(const int* in, int* out, int n) {
    const int blocks = (n + ELEMENTS - 1) / ELEMENTS;
    if (blocks == 1) {
        scanBlocks<<<1, THREADS, ELEMENTS * sizeof(int)>>>(in, out, nullptr, n);
        return;
    }
    int *sums, *offsets;
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&offsets, blocks * sizeof(int));
    scanBlocks<<<blocks, THREADS, ELEMENTS * sizeof(int)>>>(in, out, sums, n);
    scan(sums, offsets, blocks);
    addSums<<<blocks, THREADS>>>(out, offsets, n);
    cudaFree(sums);
    cudaFree(offsets);
}

int main(int argc, char** argv) {
    int failed = 0;
    for (int argument = 1; argument < argc; ++argument) {
        const int n = std::atoi(argv[argument]);
        std::vector<int> host(n), result(n);
        for (int i = 0; i < n; ++i) host[i] = (i * 7 + 3) % 11;
        int *in, *out;
        cudaMalloc(&in, n * sizeof(int));
        cudaMalloc(&out, n * sizeof(int));
        cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
        GpuTimer timer;
        timer.start();
        scan(in, out, n);
        timer.stop();
        if (timer.milliseconds() < 0) printf("time runs backwards\n");
        cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(in);
        cudaFree(out);
        int sum = 0, wrong = 0;
        for (int i = 0; i < n; ++i) {
            wrong += result[i] != sum;
            sum += host[i];
        }
        printf("%6d elements: last %d, %s\n", n, result[n - 1], wrong ? "FAILED" : "PASSED");
        failed += wrong != 0;
    }
    return failed;
}
