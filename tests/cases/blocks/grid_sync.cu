#include <cooperative_groups.h>

// Every block stores its sum; after a grid barrier block 0 adds the sums.
__global__ void kernel(const int* in, int* out, int* parts) {
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < blockDim.x; ++i) sum += in[blockIdx.x * blockDim.x + i];
        parts[blockIdx.x] = sum;
    }
    grid.sync();
    if (grid.thread_rank() != 0) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += parts[i];
    out[0] = sum;
}
// lanescope: n = 640
// lanescope: block = 32
// lanescope: grid = 20
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(1)
// lanescope: arg parts = zeros(grid)
