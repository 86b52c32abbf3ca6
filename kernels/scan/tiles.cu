#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

template <int size>
__global__ void scan_tiles(const int* in, int* out, int n)
{
    // a tile: a part of a warp, of a size that the compiler knows
    cg::thread_block_tile<size> tile = cg::tiled_partition<size>(cg::this_thread_block());

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? in[i] : 0;
    int sum = cg::inclusive_scan(tile, value, cg::plus<int>());

    if (i < n) out[i] = sum;
}
