__global__ void compose(const int* slopes, const int* offsets, int* out, int n)
{
    extern __shared__ int slope[];
    int* offset = slope + blockDim.x;

    // a step is a map: v becomes slope * v + offset; past the end it is the identity
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    slope[tid] = i < n ? slopes[i] : 1;
    offset[tid] = i < n ? offsets[i] : 0;
    __syncthreads();

    // neighbours become one map, the left one applied first
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (tid % (2 * s) == 0) {
            offset[tid] = slope[tid + s] * offset[tid] + offset[tid + s];
            slope[tid] = slope[tid + s] * slope[tid];
        }
        __syncthreads();
    }

    if (tid == 0) {
        out[2 * blockIdx.x] = slope[0];
        out[2 * blockIdx.x + 1] = offset[0];
    }
}
