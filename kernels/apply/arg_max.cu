__global__ void arg_max(const int* in, int* out, int n)
{
    extern __shared__ int value[];
    int* index = value + blockDim.x;

    // a pair: a value and where it is; past the end, the least value there is
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    value[tid] = i < n ? in[i] : (int)0x80000000;
    index[tid] = i;

    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (tid < d) {
            // the larger value, and of equal ones the first
            int v = value[tid + d], at = index[tid + d];
            if (v > value[tid] || (v == value[tid] && at < index[tid])) {
                value[tid] = v;
                index[tid] = at;
            }
        }
    }

    if (tid == 0) {
        out[2 * blockIdx.x] = value[0];
        out[2 * blockIdx.x + 1] = index[0];
    }
}
