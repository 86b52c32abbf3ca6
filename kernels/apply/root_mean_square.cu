__global__ void rms_change(const float* u_new, const float* u_old, float* rms, int n)
{
    extern __shared__ float sdata[];

    // each thread sums the squares of its changes
    int tid = threadIdx.x;
    sdata[tid] = 0;
    for (int i = tid; i < n; i += blockDim.x) {
        float change = u_new[i] - u_old[i];
        sdata[tid] += change * change;
    }
    __syncthreads();

    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (tid < s)
            sdata[tid] += sdata[tid + s];
        __syncthreads();
    }

    if (tid == 0) *rms = sqrtf(sdata[0] / n);
}
