#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define BLOCK 32

typedef unsigned int uint;

// Sum of all elements by an atomic add a block.
__global__ void sum(const int* data, int* result, uint size)
{
    __shared__ int partial[BLOCK];
    uint i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < size ? data[i] : 0;
    __syncthreads();
    for (uint s = blockDim.x / 2; s > 0; s >>= 1) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) atomicAdd(result, partial[0]);
}

int main(int argc, char** argv)
{
    const int n = 64;
    int host[n], total = 0;
    for (int i = 0; i < n; ++i) host[i] = i;
    int *data, *result;
    cudaMalloc(&data, n * sizeof(int));
    cudaMalloc(&result, sizeof(int));
    cudaMemcpy(data, host, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(result, 0, sizeof(int));
    sum<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(data, result, n);
    cudaMemcpy(&total, result, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", total);
    cudaFree(data);
    return total == n * (n - 1) / 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
