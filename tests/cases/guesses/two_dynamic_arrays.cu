// Two arrays share the dynamic shared memory, which is guessed as one.
__global__ void extremes(const float* in, float* least, float* most, int n) {
    extern __shared__ float low[];
    float* high = low + blockDim.x;
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    low[t] = high[t] = i < n ? in[i] : in[0];
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (t < half) {
            low[t] = fminf(low[t], low[t + half]);
            high[t] = fmaxf(high[t], high[t + half]);
        }
        __syncthreads();
    }
    if (t == 0) {
        least[blockIdx.x] = low[0];
        most[blockIdx.x] = high[0];
    }
}
