__global__ void maximum(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    // a thread without an element of its own takes the last one, which changes no maximum
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = in[min(i, n - 1)];
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] = max(sdata[tid], sdata[tid + s]);
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
