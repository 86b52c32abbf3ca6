__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];

    // the lower half adds the upper; of an odd number the middle element waits for the next step
    for (unsigned int left = blockDim.x; left > 1; left = (left + 1) / 2) {
        unsigned int half = (left + 1) / 2;
        __syncthreads();
        if (tid + half < left)
            sdata[tid] += sdata[tid + half];
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
