__global__ void reduce(const int* in, int* partial, int* out)
{
    // the partial sums of this block stay in global memory
    int* gdata = partial + blockIdx.x * blockDim.x;

    unsigned int tid = threadIdx.x;
    gdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            gdata[tid] += gdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = gdata[0];
}
