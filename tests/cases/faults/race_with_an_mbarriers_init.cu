// One thread initializes the barrier, and all use it; only in the sound twin the others wait for the initialization.
#include <cuda/barrier>

__global__ void faulty(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    if (threadIdx.x == 0) init(&all, blockDim.x);
    all.arrive_and_wait();
    out[threadIdx.x] = 1;
}

__global__ void sound(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    if (threadIdx.x == 0) init(&all, blockDim.x);
    __syncthreads();
    all.arrive_and_wait();
    out[threadIdx.x] = 1;
}
// lanescope: n = 64
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: arch = 80
// lanescope: arg out = zeros(n)
