// An mbarrier that expects one arrival more than there are threads; in the sound twin as many as there are threads.
#include <cuda/barrier>

__global__ void faulty(int* out) {
    __shared__ cuda::barrier<cuda::thread_scope_block> all;
    if (threadIdx.x == 0) init(&all, blockDim.x + 1);
    __syncthreads();
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
