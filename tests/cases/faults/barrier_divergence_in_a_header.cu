// The finding names the user's line, although the barrier is in a function of a header and inlined several times.
#include <cooperative_groups.h>

__global__ void faulty(const int* in, int* out) {
    auto block = cooperative_groups::this_thread_block();
    if (threadIdx.x < 16) block.sync();
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void sound(const int* in, int* out) {
    auto block = cooperative_groups::this_thread_block();
    block.sync();
    out[threadIdx.x] = in[threadIdx.x];
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: grid = 1
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
