__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }
    if (tid == 0) out[blockIdx.x] = sdata[0];
    __syncthreads();

    // the first block adds the sums of the others, as if they were done
    if (blockIdx.x == 0 && tid == 0)
        for (unsigned int b = 1; b < gridDim.x; ++b) out[0] += out[b];
}
