__global__ void reduce(const int* in, int* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x % 32;
    int sum = i < n ? in[i] : 0;

    // the mask names all 32 lanes, and only the lower ones come
    for (int offset = 16; offset > 0; offset /= 2)
        if (lane < offset)
            sum += __shfl_down_sync(0xffffffff, sum, offset);

    if (lane == 0) atomicAdd(&out[blockIdx.x], sum);
}
