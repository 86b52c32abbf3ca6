__global__ void scan(const float* X, float* Y, int len)
{
    extern __shared__ float XY[];

    int rBuf = 0, wBuf = blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    XY[wBuf + threadIdx.x] = i < len ? X[i] : 0;

    for (unsigned int s = 1; s < blockDim.x; s *= 2) {
        __syncthreads();
        wBuf = blockDim.x - wBuf;
        rBuf = blockDim.x - rBuf;
        if (threadIdx.x >= s)
            XY[wBuf + threadIdx.x] = XY[rBuf + threadIdx.x - s] + XY[rBuf + threadIdx.x];
        else
            XY[wBuf + threadIdx.x] = XY[rBuf + threadIdx.x];
    }

    if (i < len) Y[i] = XY[wBuf + threadIdx.x];
}
