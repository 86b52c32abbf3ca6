#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__device__ void add_tree(int* temp)
{
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d) temp[threadIdx.x] += temp[threadIdx.x + d];
    }
}

__global__ void sum(const int* in, int* out, int* sums, int n)
{
    extern __shared__ int temp[];
    cg::grid_group grid = cg::this_grid();

    int tid = threadIdx.x;
    temp[tid] = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) temp[tid] += in[i];
    add_tree(temp);
    if (tid == 0) sums[blockIdx.x] = temp[0];

    // no block goes on before all have come here
    grid.sync();

    if (blockIdx.x > 0) return;
    temp[tid] = 0;
    for (int b = tid; b < gridDim.x; b += blockDim.x) temp[tid] += sums[b];
    add_tree(temp);
    if (tid == 0) *out = temp[0];
}

// a cooperative launch: all blocks are resident at once, or the launch is refused
void reduce(const int* in, int* out, int n, int blocks, int block)
{
    int* sums;
    cudaMalloc(&sums, blocks * sizeof(int));
    void* arguments[] = {&in, &out, &sums, &n};
    cudaLaunchCooperativeKernel((void*)sum, blocks, block, arguments, block * sizeof(int), 0);
    cudaFree(sums);
}
