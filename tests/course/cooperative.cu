// Cooperative groups and CUB's block collectives, used as their documentation shows.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>

namespace cg = cooperative_groups;

__global__ void thread_block_sum(const int* in, int* sums, int n) {
    __shared__ int total;
    cg::thread_block block = cg::this_thread_block();
    if (block.thread_rank() == 0) total = 0;
    block.sync();
    int i = block.group_index().x * block.size() + block.thread_rank();
    if (i < n) atomicAdd(&total, in[i]);
    cg::sync(block);
    if (block.thread_rank() == 0) sums[blockIdx.x] = total;
}

// A tile of 16 lanes by shuffles of its own.
__global__ void tile_sums(const int* in, int* sums, int n) {
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? in[i] : 0;
    for (int offset = tile.size() / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
    if (tile.thread_rank() == 0) sums[i / 16] = value;
}

__global__ void tile_reduce(const int* in, int* sums, int* largest, int n) {
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? in[i] : 0;
    int sum = cg::reduce(tile, value, cg::plus<int>());
    int most = cg::reduce(tile, value, cg::greater<int>());
    if (tile.thread_rank() == 0) {
        sums[i / 32] = sum;
        largest[i / 32] = most;
    }
}

__global__ void tile_scan(const int* in, int* out, int n) {
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? in[i] : 0;
    int sum = cg::inclusive_scan(tile, value, cg::plus<int>());
    if (i < n) out[i] = sum;
}

// The lanes that took the branch are a group.
__global__ void coalesced_count(const int* in, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        if (active.thread_rank() == 0) atomicAdd(&counts[0], active.size());
        if (active.thread_rank() == active.size() - 1) atomicAdd(&counts[1], 1);
    }
}

template <int block_threads, cub::BlockReduceAlgorithm algorithm>
__global__ void cub_block_reduce(const int* in, int* sums, int n) {
    typedef cub::BlockReduce<int, block_threads, algorithm> BlockReduce;
    __shared__ typename BlockReduce::TempStorage storage;
    int i = blockIdx.x * block_threads + threadIdx.x;
    int sum = BlockReduce(storage).Sum(i < n ? in[i] : 0);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <int block_threads, int items>
__global__ void cub_block_scan(const int* in, int* out, int n) {
    typedef cub::BlockScan<int, block_threads, cub::BLOCK_SCAN_RAKING> BlockScan;
    __shared__ typename BlockScan::TempStorage storage;
    int first = (blockIdx.x * block_threads + threadIdx.x) * items;
    int own[items];
    for (int k = 0; k < items; ++k) own[k] = first + k < n ? in[first + k] : 0;
    BlockScan(storage).ExclusiveSum(own, own);
    for (int k = 0; k < items; ++k) {
        if (first + k < n) out[first + k] = own[k];
    }
}
