#include "stdio.h"
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

#define KERNEL extern "C" __global__ void
#define DEVICE static __device__ __inline__
#define LOG2_BLOCK 7
#define BLOCK (1 << LOG2_BLOCK)

DEVICE int shared_index(int i) { return i + (i >> 5); }

KERNEL exclusive_scan(int *data, const int *input, int len)
{
    extern __shared__ int temp[];
    int t = threadIdx.x;
    temp[shared_index(2 * t)] = 2 * t < len ? input[2 * t] : 0;
    temp[shared_index(2 * t + 1)] = 2 * t + 1 < len ? input[2 * t + 1] : 0;
    int offset = 1;
    for (int d = blockDim.x; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            temp[shared_index(bi)] += temp[shared_index(ai)];
        }
        offset *= 2;
    }
    if (t == 0) temp[shared_index(2 * blockDim.x - 1)] = 0;
    for (int d = 1; d < 2 * blockDim.x; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int ai = offset * (2 * t + 1) - 1, bi = offset * (2 * t + 2) - 1;
            int x = temp[shared_index(ai)];
            temp[shared_index(ai)] = temp[shared_index(bi)];
            temp[shared_index(bi)] += x;
        }
    }
    __syncthreads();
    if (2 * t < len) data[2 * t] = temp[shared_index(2 * t)];
    if (2 * t + 1 < len) data[2 * t + 1] = temp[shared_index(2 * t + 1)];
}

/* a string with braces and a launch in it must not confuse anybody */
static const char *usage = "usage: scan { n } <<<1, 2>>>(x); // \"";
char quote = '"', brace = '{';

cudaError_t scanWithCuda(int *c, const int *a, unsigned int size);

int main()
{
    const int arraySize = 2 * BLOCK;
    int a[arraySize], c[arraySize];
    for (int i = 0; i < arraySize; i++) a[i] = i;
    cudaError_t status = scanWithCuda(c, a, arraySize);
    if (status != cudaSuccess) { fprintf(stderr, "failed\n"); return 1; }
    puts(usage);
    return 0;
}

cudaError_t scanWithCuda(int *c, const int *a, unsigned int size)
{
    int *dev_a = 0, *dev_c = 0;
    cudaError_t status = cudaMalloc((void **)&dev_a, size * sizeof(int));
    if (status != cudaSuccess) goto Error;
    cudaMemcpy(dev_a, a, size * sizeof(int), cudaMemcpyHostToDevice);
    exclusive_scan<<<1, BLOCK, (2 * BLOCK + 16) * sizeof(int)>>>(dev_c, dev_a, size);
    cudaMemcpy(c, dev_c, size * sizeof(int), cudaMemcpyDeviceToHost);
Error:
    cudaFree(dev_a);
    return status;
}
