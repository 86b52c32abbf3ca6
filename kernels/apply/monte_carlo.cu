// the mean of this function over 0 to 1 is pi
__device__ float f(float x)
{
    return 4 / (1 + x * x);
}

__global__ void estimate(const float* points, float* mean, int n)
{
    extern __shared__ float sdata[];

    // each thread evaluates the function at its point
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? f(points[i]) : 0;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    // the mean of all blocks: n is the same in each
    if (tid == 0) atomicAdd(mean, sdata[0] / n);
}
