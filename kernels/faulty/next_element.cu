__global__ void sequential_block_scan(const float* x, float* y, int len)
{
    if (threadIdx.x == 0) {
        int blk_start = blockIdx.x * blockDim.x;
        int blk_end = blk_start + blockDim.x;
        if (blk_end > len) {
            blk_end = len;
        }
        y[blk_start] = x[blk_start];
        for (int i = blk_start + 1; i < blk_end; i++) {
            y[i] = y[i + 1] + x[i];
        }
    }
}
