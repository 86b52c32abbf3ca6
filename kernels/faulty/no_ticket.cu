__device__ unsigned int blocks_done = 0;
__device__ volatile int sum_so_far = 0;

__global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int temp[];
    __shared__ int before;

    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;

    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }

    // wait for the block with the number before this one, whether it has started or not
    if (tid == blockDim.x - 1) {
        while (atomicAdd(&blocks_done, 0) < blockIdx.x) {}
        __threadfence();
        before = sum_so_far;
        sum_so_far = before + temp[tid];
        __threadfence();
        atomicAdd(&blocks_done, 1);
    }
    __syncthreads();

    if (i < n) out[i] = before + temp[tid];
}
