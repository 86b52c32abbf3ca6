__device__ int warp_sum(int v)
{
    for (int offset = 16; offset > 0; offset /= 2)
        v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}
__global__ void reduce(const int* in, int* out)
{
    __shared__ int partial[32];
    int v = in[threadIdx.x];
    v = warp_sum(v);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0;
        v = warp_sum(v);
        if (threadIdx.x == 0) out[0] = v;
    }
}
