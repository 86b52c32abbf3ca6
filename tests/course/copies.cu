// Asynchronous copies to shared memory, barriers in shared memory, and a barrier over the grid.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda_pipeline.h>

namespace cg = cooperative_groups;

// Two stages: the next tile is on its way while this one is summed.
__global__ void pipelined_sums(const int* in, int* sums, int tiles) {
    __shared__ int stage[2][64];
    int i = threadIdx.x, sum = 0;
    __pipeline_memcpy_async(&stage[0][i], &in[i], sizeof(int));
    __pipeline_commit();
    for (int tile = 0; tile < tiles; ++tile) {
        if (tile + 1 < tiles) {
            __pipeline_memcpy_async(&stage[(tile + 1) % 2][i], &in[(tile + 1) * 64 + i], sizeof(int));
            __pipeline_commit();
            __pipeline_wait_prior(1);
        } else {
            __pipeline_wait_prior(0);
        }
        __syncthreads();
        sum += stage[tile % 2][63 - i];
        __syncthreads();
    }
    sums[i] = sum;
}

__global__ void inline_cp_async(const float4* in, float4* out) {
    __shared__ float4 tile[32];
    unsigned to = (unsigned)__cvta_generic_to_shared(&tile[threadIdx.x]);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(&in[threadIdx.x]));
    asm volatile("cp.async.commit_group;");
    asm volatile("cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}

__global__ void group_copy(const int* in, int* out) {
    __shared__ int tile[64];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, tile, in, sizeof(int) * 64);
    cg::wait(block);
    out[block.thread_rank()] = tile[63 - block.thread_rank()] * 2;
}

// Arrive and wait apart: what lies between does not depend on the others.
__global__ void split_arrive_and_wait(const int* in, int* out, int rounds) {
    __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
    __shared__ int s[64];
    if (threadIdx.x == 0) init(&barrier, blockDim.x);
    __syncthreads();
    int value = in[threadIdx.x];
    for (int round = 0; round < rounds; ++round) {
        s[threadIdx.x] = value;
        auto token = barrier.arrive();
        value *= 3;
        barrier.wait(static_cast<decltype(token)&&>(token));
        value += s[(threadIdx.x + 1) % blockDim.x];
        barrier.arrive_and_wait();
    }
    out[threadIdx.x] = value;
}

// All blocks add up what all blocks left.
__global__ void grid_wide(const int* in, int* partial, int* out, int n) {
    cg::grid_group grid = cg::this_grid();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&partial[blockIdx.x], in[i]);
    grid.sync();
    int sum = 0;
    for (int block = 0; block < gridDim.x; ++block) sum += partial[block];
    if (i < n) out[i] = sum;
}
