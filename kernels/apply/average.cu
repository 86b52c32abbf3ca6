__global__ void average(const float* samples, float* mean, int n)
{
    extern __shared__ float sdata[];

    // each thread adds its share of the samples
    int tid = threadIdx.x;
    sdata[tid] = 0;
    for (int i = tid; i < n; i += blockDim.x)
        sdata[tid] += samples[i];
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    // one division, at the end
    if (tid == 0) *mean = sdata[0] / n;
}
