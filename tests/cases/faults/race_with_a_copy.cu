// cp.async is asynchronous: its writes are visible to its thread after a wait, and to others after a barrier that
// follows. Until then its source must not change either.
#include <cuda_pipeline.h>

__global__ void faulty_no_wait(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[t], &in[t], sizeof(int));
    __pipeline_commit();
    out[t] = cells[t];
    __pipeline_wait_prior(0);
}

__global__ void faulty_barrier_for_wait(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[t], &in[t], sizeof(int));
    __pipeline_commit();
    __syncthreads();
    out[t] = cells[63 - t];
    __pipeline_wait_prior(0);
}

__global__ void faulty_no_barrier(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = cells[63 - t];
}

__global__ void faulty_one_group_too_few(const int* in, int* out) {
    __shared__ int cells[2][64];
    const unsigned t = threadIdx.x;
    for (int i = 0; i < 2; ++i) {
        __pipeline_memcpy_async(&cells[i][t], &in[t], sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[t] = cells[0][63 - t] + cells[1][63 - t];
    __pipeline_wait_prior(0);
}

__global__ void faulty_overwritten(int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[t], &in[t], sizeof(int));
    __pipeline_commit();
    in[t] = 0;
    cells[t] = 1;
    __pipeline_wait_prior(0);
    out[t] = cells[t];
}

// The copy itself starts too early: others still read the memory that it overwrites.
__global__ void faulty_copied_over(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    cells[t] = in[t];
    __syncthreads();
    out[t] = cells[t ^ 1];
    __pipeline_memcpy_async(&cells[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

__global__ void faulty_two_at_once(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    for (int i = 0; i < 2; ++i) {
        __pipeline_memcpy_async(&cells[t], &in[t], sizeof(int));
        __pipeline_commit();
    }
    __pipeline_wait_prior(0);
    out[t] = cells[t];
}

__global__ void sound_own(const int* in, int* out) {
    __shared__ int cells[64];
    const unsigned t = threadIdx.x;
    __pipeline_memcpy_async(&cells[t], &in[t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = cells[t];
}

__global__ void sound_two_stages(const int* in, int* out) {
    __shared__ int cells[2][64];
    const unsigned t = threadIdx.x;
    int sum = 0;
    __pipeline_memcpy_async(&cells[0][t], &in[t], sizeof(int));
    __pipeline_commit();
    for (int i = 0; i < 4; ++i) {
        __pipeline_memcpy_async(&cells[(i + 1) % 2][t], &in[t], sizeof(int));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        sum += cells[i % 2][63 - t];
        __syncthreads();
    }
    __pipeline_wait_prior(0);
    out[t] = sum;
}
// lanescope: n = 64
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
