__global__ void recurrence(const int* lambda, const int* u, int* v, int n)
{
    extern __shared__ int slope[];
    int* offset = slope + blockDim.x;

    // a step is a line: v becomes (1 - lambda) v + lambda u
    int tid = threadIdx.x;
    slope[tid] = tid < n ? 1 - lambda[tid] : 1;
    offset[tid] = tid < n ? lambda[tid] * u[tid] : 0;

    // the scan's operator is one line after another
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int a = tid >= d ? slope[tid - d] : 1;
        int b = tid >= d ? offset[tid - d] : 0;
        __syncthreads();
        offset[tid] += slope[tid] * b;
        slope[tid] *= a;
    }

    // from v = 0 on
    if (tid < n) v[tid] = offset[tid];
}
