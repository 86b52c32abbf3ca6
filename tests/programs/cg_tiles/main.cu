// Cooperative groups within a block: tiles of several sizes, coalesced threads, a group passed to a function.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <stdio.h>

#include <vector>

using namespace cooperative_groups;

template <typename group_t>
__device__ int sumReduction(group_t g, int *x, int val)
{
    int lane = g.thread_rank();
    for (int i = g.size() / 2; i > 0; i /= 2) {
        x[lane] = val;
        g.sync();
        if (lane < i) val += x[lane + i];
        g.sync();
    }
    return g.thread_rank() == 0 ? val : -1;
}

template <int TileSize>
__device__ int tileSum(thread_block_tile<TileSize> tile, int val)
{
    for (int i = tile.size() / 2; i > 0; i /= 2) val += tile.shfl_down(val, i);
    return val;
}

__global__ void cgkernel(int *blockSums, int *tileSums)
{
    extern __shared__ int workspace[];
    thread_block block = this_thread_block();
    int input = block.thread_rank() + block.group_index().x;
    int output = sumReduction(block, workspace, input);
    if (block.thread_rank() == 0) blockSums[block.group_index().x] = output;
    block.sync();

    thread_block_tile<16> tile = tiled_partition<16>(block);
    int value = tileSum<16>(tile, input);
    if (tile.thread_rank() == 0) tileSums[blockIdx.x * tile.meta_group_size() + tile.meta_group_rank()] = value;
}

__global__ void countOdd(const int *in, int n, int *count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 2 != 0) {
        coalesced_group active = coalesced_threads();
        if (active.thread_rank() == 0) atomicAdd(count, (int)active.size());
    }
}

__global__ void largest(const int *in, int n, int *out)
{
    auto warp = tiled_partition<32>(this_thread_block());
    int best = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) best = max(best, in[i]);
    best = reduce(warp, best, greater<int>());
    if (warp.thread_rank() == 0) atomicMax(out, best);
}

int main()
{
    const int blocks = 3, threads = 64, n = 777;
    std::vector<int> host(n);
    int odd = 0, most = 0;
    for (int i = 0; i < n; i++) {
        host[i] = (i * i) % 1001;
        odd += host[i] & 1;
        most = host[i] > most ? host[i] : most;
    }
    int *in, *sums, *tiles, *results;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&sums, blocks * sizeof(int));
    cudaMalloc(&tiles, blocks * threads / 16 * sizeof(int));
    cudaMalloc(&results, 2 * sizeof(int));
    cudaMemset(results, 0, 2 * sizeof(int));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);

    cgkernel<<<blocks, threads, threads * sizeof(int)>>>(sums, tiles);
    countOdd<<<(n + 127) / 128, 128>>>(in, n, &results[0]);
    largest<<<2, 96>>>(in, n, &results[1]);

    int h_sums[3], h_tiles[12], h_results[2];
    cudaMemcpy(h_sums, sums, sizeof(h_sums), cudaMemcpyDeviceToHost);
    cudaMemcpy(h_tiles, tiles, sizeof(h_tiles), cudaMemcpyDeviceToHost);
    cudaMemcpy(h_results, results, sizeof(h_results), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int b = 0; b < blocks; b++) {
        printf("block %d: %d = ", b, h_sums[b]);
        int sum = 0;
        for (int t = 0; t < 4; t++) {
            sum += h_tiles[4 * b + t];
            printf("%d%s", h_tiles[4 * b + t], t < 3 ? " + " : "\n");
        }
        wrong += sum != h_sums[b] || sum != 63 * 32 + 64 * b;
    }
    printf("%d odd of %d, largest %d\n", h_results[0], n, h_results[1]);
    wrong += h_results[0] != odd || h_results[1] != most;
    printf(wrong ? "FAILED\n" : "PASSED\n");
    cudaFree(in);
    cudaFree(sums);
    cudaFree(tiles);
    cudaFree(results);
    return wrong;
}
