// grid.sync() waits for every block of the grid: threads beyond the last element may not return before it.
#include <cooperative_groups.h>

__global__ void faulty(const int* in, int* out, int n) {
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank();
    if (i >= n - 64) return;
    out[i] = in[i];
    grid.sync();
    out[i] += in[(i + 1) % n];
}

__global__ void sound(const int* in, int* out, int n) {
    auto grid = cooperative_groups::this_grid();
    int i = grid.thread_rank();
    if (i < n - 64) out[i] = in[i];
    grid.sync();
    if (i < n - 64) out[i] += in[(i + 1) % n];
}
// lanescope: n = 128
// lanescope: block = 32
// lanescope: grid = 4
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(64)
