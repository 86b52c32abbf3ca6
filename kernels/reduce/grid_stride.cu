__global__ void reduce(const int* in, int* out, unsigned int n)
{
    extern __shared__ int sdata[];

    // each thread adds as many elements as necessary, in steps as wide as the grid
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
    unsigned int gridSize = blockDim.x * 2 * gridDim.x;
    sdata[tid] = 0;
    while (i < n) {
        sdata[tid] += in[i];
        if (i + blockDim.x < n) sdata[tid] += in[i + blockDim.x];
        i += gridSize;
    }
    __syncthreads();

    // do the reduction in shared memory
    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    // write the result of this block to global memory
    if (tid == 0) out[blockIdx.x] = sdata[0];
}
