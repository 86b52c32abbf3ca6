template <unsigned int degree>
__global__ void reduce(const int* in, int* out)
{
    extern __shared__ int sdata[];

    unsigned int tid = threadIdx.x;
    sdata[tid] = in[blockIdx.x * blockDim.x + threadIdx.x];

    // each of the remaining threads adds up `degree` elements, one after the other
    for (unsigned int left = blockDim.x; left > 1; left = (left + degree - 1) / degree) {
        unsigned int next = (left + degree - 1) / degree;
        __syncthreads();
        if (tid < next)
            for (unsigned int i = tid + next; i < left; i += next)
                sdata[tid] += sdata[i];
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
