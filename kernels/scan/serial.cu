__global__ void sequential_block_scan(const float* x, float* y, int len)
{
    // one thread scans the elements of its block; the other threads have nothing to do
    if (threadIdx.x == 0) {
        int blk_start = blockIdx.x * blockDim.x;
        int blk_end = min(blk_start + (int)blockDim.x, len);
        y[blk_start] = x[blk_start];
        for (int i = blk_start + 1; i < blk_end; i++)
            y[i] = y[i - 1] + x[i];
    }
}
