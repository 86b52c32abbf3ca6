#include <cstdio>

// printf in a kernel, thread by thread.
__global__ void kernel(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x] * 2;
    if (threadIdx.x % 16 == 3) {
        printf("thread %d of block %u: %5d -> %-5d|%05.2f %s %llx %c%%\n", threadIdx.x, blockIdx.x, in[threadIdx.x],
               out[threadIdx.x], in[threadIdx.x] / 8.0, in[threadIdx.x] & 1 ? "odd" : "even", 0xfedcba9876543210, '!');
    }
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
