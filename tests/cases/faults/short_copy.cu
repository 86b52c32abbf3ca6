// cp.async may read fewer bytes than it writes: only those are read, and the rest is zero.
#include <cuda_pipeline.h>

__global__ void faulty_reads(const int* in, int* out) {
    __shared__ __align__(16) int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[4 * t], &in[4 * t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = cells[4 * t];
}

__global__ void faulty_reads_one_more(const int* in, int* out) {
    __shared__ __align__(16) int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[4 * t], &in[4 * t], 16, t < 15 ? 0 : 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = cells[4 * t];
}

__global__ void faulty_misaligned(const int* in, int* out) {
    __shared__ __align__(16) int cells[64];
    const unsigned t = threadIdx.x;
    const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&cells[4 * t]));
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(in + t), "r"(4));
    asm volatile("cp.async.wait_all;");
    out[t] = cells[4 * t];
}

__global__ void sound(const int* in, int* out) {
    __shared__ __align__(16) int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[4 * t], &in[4 * t], 16, t < 15 ? 0 : 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = cells[4 * t] + cells[4 * t + 1] + cells[4 * t + 2] + cells[4 * t + 3];
}

__global__ void sound_reads_nothing(const int* in, int* out) {
    __shared__ __align__(16) int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[4 * t], &in[1024 + 4 * t], 16, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = cells[4 * t];
}
// lanescope: n = 62
// lanescope: block = 16
// lanescope: grid = 1
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(16)
