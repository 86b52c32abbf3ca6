__global__ void reduce(const int* in, int* out, int n)
{
    __shared__ int warpSums[32];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;

    // one instruction sums a warp
    int sum = __reduce_add_sync(0xffffffff, i < n ? in[i] : 0);

    if (lane == 0) warpSums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = __reduce_add_sync(0xffffffff, lane < blockDim.x / 32 ? warpSums[lane] : 0);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}
