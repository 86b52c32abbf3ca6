#include <cassert>

// An assertion that fails for thread 21.
__global__ void faulty(const int* in, int* out) {
    assert(in[threadIdx.x] <= 20);
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void sound(const int* in, int* out) {
    assert(in[threadIdx.x] <= 100);
    out[threadIdx.x] = in[threadIdx.x];
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
