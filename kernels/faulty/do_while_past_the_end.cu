template <unsigned int blockSize>
__global__ void reduce(const int* g_idata, int* g_odata, unsigned int n)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * (blockSize * 2) + tid;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    sdata[tid] = 0;
    do {
        sdata[tid] += g_idata[i] + g_idata[i + blockSize];
        i += gridSize;
    } while (i < n);
    __syncthreads();

    for (unsigned int s = blockSize / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) g_odata[blockIdx.x] = sdata[0];
}
