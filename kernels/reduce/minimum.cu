__global__ void minimum(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    // a thread without an element of its own takes the largest int, the identity of the minimum
    unsigned int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0x7fffffff;
    __syncthreads();

    for (unsigned int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] = min(sdata[tid], sdata[tid + s]);
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
