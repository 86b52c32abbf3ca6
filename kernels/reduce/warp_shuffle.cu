__global__ void reduce(const int* in, int* out, int n)
{
    __shared__ int warpSums[32];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int sum = i < n ? in[i] : 0;

    // each warp reduces its registers: a lane takes the value of the lane `offset` above it
    for (int offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);

    // the first warp reduces the sums of the warps
    if (lane == 0) warpSums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? warpSums[lane] : 0;
        for (int offset = 16; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0xffffffff, sum, offset);
        if (lane == 0) out[blockIdx.x] = sum;
    }
}
