__global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int temp[];

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    temp[tid] = i < n ? in[i] : 0;

    // the inclusive scan
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }
    __syncthreads();

    // the exclusive scan: all one place to the right, and the identity in front
    if (i < n) out[i] = tid > 0 ? temp[tid - 1] : 0;
}
