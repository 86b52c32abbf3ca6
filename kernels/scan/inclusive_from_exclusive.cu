__global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int own = i < n ? in[i] : 0;
    temp[tid] = own;

    // the exclusive scan: the up-sweep, the identity as the last element, the down-sweep
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        int right = 2 * stride * (tid + 1) - 1;
        if (right < blockDim.x) temp[right] += temp[right - stride];
    }
    __syncthreads();
    if (tid == 0) temp[blockDim.x - 1] = 0;
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        int right = 2 * stride * (tid + 1) - 1;
        if (right < blockDim.x) {
            int left = temp[right - stride];
            temp[right - stride] = temp[right];
            temp[right] += left;
        }
    }
    __syncthreads();

    // the inclusive scan: each thread adds its own element
    if (i < n) out[i] = temp[tid] + own;
}
