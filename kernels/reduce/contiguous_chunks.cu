__global__ void reduce(const int* in, int* out, unsigned int n)
{
    extern __shared__ int sdata[];

    // each thread adds a chunk of neighbouring elements, as a CPU thread would
    unsigned int tid = threadIdx.x;
    unsigned int threads = blockDim.x * gridDim.x;
    unsigned int chunk = (n + threads - 1) / threads;
    unsigned int first = (blockIdx.x * blockDim.x + threadIdx.x) * chunk;
    sdata[tid] = 0;
    for (unsigned int i = first; i < first + chunk && i < n; ++i)
        sdata[tid] += in[i];
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
