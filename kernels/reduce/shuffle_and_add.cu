// a lane takes the value of the lane `offset` above it and adds it, if that lane is below width
__device__ int shfl_down_add(int x, int offset, int width)
{
    int result;
    int bounds = (32 - width) << 8 | (width - 1);
    unsigned int lanes = 0xffffffff >> (32 - width);
    asm volatile(
        "{ .reg .s32 r0;"
        "  .reg .pred p;"
        "  shfl.sync.down.b32 r0|p, %1, %2, %3, %4;"
        "  @p add.s32 r0, r0, %1;"
        "  mov.s32 %0, r0; }"
        : "=r"(result) : "r"(x), "r"(offset), "r"(bounds), "r"(lanes));
    return result;
}

// a block is one warp, or the lower part of one
__global__ void reduce(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i < n ? in[i] : 0;

    // rising offsets: neighbours first
    for (int offset = 1; offset < blockDim.x; offset *= 2)
        x = shfl_down_add(x, offset, blockDim.x);

    if (threadIdx.x == 0) out[blockIdx.x] = x;
}
