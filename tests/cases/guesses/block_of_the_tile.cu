// Written for blocks of 256 threads: smaller ones leave a part of the tile unwritten.
#define THREADS 256
__global__ void sum(const float* in, float* out, int n) {
    __shared__ float tile[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) tile[t] += tile[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = tile[0];
}
