// Numbers of 16 bits: half, bfloat16, and their pairs.
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void half_axpy(const __half* x, __half* y, __half a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = __hfma(a, x[i], y[i]);
}

// Two at once; n is even.
__global__ void half_pairs(const __half2* a, const __half2* b, __half2* sum, __half2* largest, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    sum[i] = __hadd2(a[i], b[i]);
    largest[i] = __hmax2(a[i], b[i]);
}

// Stored as half, summed as float.
__global__ void half_sum(const __half* x, float* sums, int n) {
    __shared__ float partial[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    partial[threadIdx.x] = i < n ? __half2float(x[i]) : 0.0f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) partial[threadIdx.x] += partial[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

__global__ void brain_float_product(const __nv_bfloat16* a, const __nv_bfloat16* b, __nv_bfloat16* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = __float2bfloat16(__bfloat162float(a[i]) * __bfloat162float(b[i]) + 1.0f);
}

__global__ void half_compare(const __half* a, const __half* b, int* order, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    order[i] = __hlt(a[i], b[i]) ? -1 : __hgt(a[i], b[i]) ? 1 : 0;
}

__global__ void half_conversions(const float* in, unsigned short* bits, int* whole, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half h = __float2half_rn(in[i]);
    bits[i] = __half_as_ushort(h);
    whole[i] = __half2int_rn(h);
}

__global__ void half_atomics(const __half* x, __half* sum, __half2* pair, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(sum, x[i]);
    atomicAdd(pair, __halves2half2(x[i], __float2half(1.0f)));
}
