// Reductions in numbers other than int and float, and by the warp's own instruction.
#include <cuda_bf16.h>

// Blocks of a power of two. Every number has its own sum, smallest and largest.
__global__ void double_reductions(const double* x, double* sums, double* smallest, double* largest, int n) {
    __shared__ double sum[128], low[128], high[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sum[t] = i < n ? x[i] : 0.0;
    low[t] = i < n ? x[i] : 1e308;
    high[t] = i < n ? x[i] : -1e308;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) {
            sum[t] += sum[t + s];
            low[t] = fmin(low[t], low[t + s]);
            high[t] = fmax(high[t], high[t + s]);
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = sum[0];
        smallest[blockIdx.x] = low[0];
        largest[blockIdx.x] = high[0];
    }
}

// A double travels between lanes in two halves.
__global__ void double_sum_by_shuffles(const double* x, double* sums, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = i < n ? x[i] : 0.0;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x % 32 == 0) sums[i / 32] = sum;
}

// Each addition rounds to 8 bits.
__global__ void brain_float_sum(const __nv_bfloat16* x, __nv_bfloat16* sums, int n) {
    __shared__ __nv_bfloat16 partial[128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    partial[t] = i < n ? x[i] : __float2bfloat16(0.0f);
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (t < s) partial[t] = __hadd(partial[t], partial[t + s]);
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = partial[0];
}

__global__ void brain_float_pairs(const __nv_bfloat162* x, __nv_bfloat162* sum, __nv_bfloat162* largest, int n) {
    __nv_bfloat162 total = x[threadIdx.x], most = x[threadIdx.x];
    for (int i = threadIdx.x + blockDim.x; i < n; i += blockDim.x) {
        total = __hadd2(total, x[i]);
        most = __hmax2(most, x[i]);
    }
    sum[threadIdx.x] = total;
    largest[threadIdx.x] = most;
}

// redux.sync in all its kinds. `results`: for each warp the eight of them.
__global__ void by_instruction(const int* x, unsigned* results, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned some = __ballot_sync(0xffffffff, i < n);
    if (i >= n) return;
    unsigned u = x[i];
    unsigned* own = results + i / 32 * 8;
    unsigned sum = __reduce_add_sync(some, u);
    unsigned low = __reduce_min_sync(some, u), high = __reduce_max_sync(some, u);
    int signed_low = __reduce_min_sync(some, x[i]), signed_high = __reduce_max_sync(some, x[i]);
    unsigned all = __reduce_and_sync(some, u), any = __reduce_or_sync(some, u), odd = __reduce_xor_sync(some, u);
    if (threadIdx.x % 32 == 0) {
        own[0] = sum, own[1] = low, own[2] = high, own[3] = signed_low, own[4] = signed_high;
        own[5] = all, own[6] = any, own[7] = odd;
    }
}

// Lanes in two groups, each with a mask of its own.
__global__ void by_instruction_in_groups(const int* x, int* sums) {
    int lane = threadIdx.x % 32;
    int third = lane % 3 == 0;
    unsigned mask = third ? 0x49249249u : ~0x49249249u;
    sums[threadIdx.x] = third ? __reduce_add_sync(mask, x[threadIdx.x]) : __reduce_add_sync(mask, -x[threadIdx.x]);
}
