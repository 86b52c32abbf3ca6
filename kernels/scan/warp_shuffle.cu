__global__ void scan(const int* in, int* out, int n)
{
    __shared__ int warpSums[32];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int warp = threadIdx.x / 32;
    int sum = i < n ? in[i] : 0;

    // each warp scans its registers: a lane adds the value `offset` lanes below it, if there is one
    for (int offset = 1; offset < 32; offset *= 2) {
        int below = __shfl_up_sync(0xffffffff, sum, offset);
        if (lane >= offset) sum += below;
    }

    // the first warp scans the sums of the warps
    if (lane == 31) warpSums[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int total = lane < blockDim.x / 32 ? warpSums[lane] : 0;
        for (int offset = 1; offset < 32; offset *= 2) {
            int below = __shfl_up_sync(0xffffffff, total, offset);
            if (lane >= offset) total += below;
        }
        warpSums[lane] = total;
    }
    __syncthreads();

    // every warp adds the sum of those before it
    if (warp > 0) sum += warpSums[warp - 1];
    if (i < n) out[i] = sum;
}
