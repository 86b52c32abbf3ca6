__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();

    // four quarters become one
    for (unsigned int s = blockDim.x / 4; s > 0; s /= 4) {
        if (tid < s)
            sdata[tid] = (sdata[tid] + sdata[tid + s]) + (sdata[tid + 2 * s] + sdata[tid + 3 * s]);
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
