#include <cuda_pipeline.h>

__global__ void sum_blocks(const int* in, int* out, int n)
{
    // two buffers: while one is added, the next elements are on their way into the other
    extern __shared__ int buffers[];
    const int rounds = 4;

    int tid = threadIdx.x;
    int first = blockIdx.x * rounds * blockDim.x + tid;
    int* cell = buffers + tid;
    if (first < n) __pipeline_memcpy_async(cell, in + first, sizeof(int));
    __pipeline_commit();

    int sum = 0;
    for (int k = 0; k < rounds; k++) {
        int next = first + (k + 1) * blockDim.x;
        if (k + 1 < rounds && next < n)
            __pipeline_memcpy_async(cell + (k + 1) % 2 * blockDim.x, in + next, sizeof(int));
        __pipeline_commit();

        // all copies but the one just begun have ended; a thread reads only what it has copied
        __pipeline_wait_prior(1);
        if (first + k * blockDim.x < n) sum += cell[k % 2 * blockDim.x];
    }

    // the sums of the threads, in a tree
    buffers[tid] = sum;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) buffers[tid] += buffers[tid + d];
    }
    if (tid == 0) out[blockIdx.x] = buffers[0];
}
