__global__ void scan(const float* X, float* Y, int len)
{
    extern __shared__ float XY[];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    XY[threadIdx.x] = i < len ? X[i] : 0;

    // reduction phase: every second, fourth, eighth thread works
    for (unsigned int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        if ((threadIdx.x + 1) % (2 * stride) == 0)
            XY[threadIdx.x] += XY[threadIdx.x - stride];
    }

    // distribution phase
    for (unsigned int stride = blockDim.x / 4; stride > 0; stride /= 2) {
        __syncthreads();
        unsigned int index = (threadIdx.x + 1) * stride * 2 - 1;
        if (index + stride < blockDim.x)
            XY[index + stride] += XY[index];
    }

    __syncthreads();
    if (i < len) Y[i] = XY[threadIdx.x];
}
