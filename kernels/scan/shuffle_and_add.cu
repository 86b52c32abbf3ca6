// a lane takes the value of the lane `offset` below it and adds its own, if there is such a lane
__device__ int shfl_up_add(int x, int offset, int width)
{
    int result;
    int bounds = (32 - width) << 8;
    unsigned int lanes = 0xffffffff >> (32 - width);
    asm volatile(
        "{ .reg .s32 r0;"
        "  .reg .pred p;"
        "  shfl.sync.up.b32 r0|p, %1, %2, %3, %4;"
        "  @p add.s32 r0, r0, %1;"
        "  mov.s32 %0, r0; }"
        : "=r"(result) : "r"(x), "r"(offset), "r"(bounds), "r"(lanes));
    return result;
}

// a block is one warp, or the lower part of one
__global__ void scan(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int x = i < n ? in[i] : 0;

    for (int offset = 1; offset < blockDim.x; offset *= 2)
        x = shfl_up_add(x, offset, blockDim.x);

    if (i < n) out[i] = x;
}
