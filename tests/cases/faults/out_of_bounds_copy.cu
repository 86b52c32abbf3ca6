// cp.async must read and write within bounds, at addresses that are multiples of its width.
#include <cuda_pipeline.h>

__global__ void faulty_reads(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[t], &in[t + 1], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = cells[t];
}

__global__ void faulty_writes(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[t + 1], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = t > 0 ? cells[t] : 0;
}

__global__ void faulty_misaligned(const int* in, int* out) {
    __shared__ __align__(8) int cells[64];
    const unsigned t = threadIdx.x;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&cells[t]));
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(in + (t & ~1u)));
    asm volatile("cp.async.wait_all;");
    out[t] = t;
}

__global__ void sound(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = cells[t];
}
// lanescope: n = 64
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
