__device__ unsigned int my_block_count = 0;
__device__ int my_block_count2 = 0;
__device__ volatile int sum_so_far = 0;

__global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int temp[];
    __shared__ int my_blockId;
    __shared__ int before;

    // blocks take numbers in the order in which they start
    if (threadIdx.x == 0)
        my_blockId = atomicInc(&my_block_count, (unsigned int)-1);
    __syncthreads();

    int tid = threadIdx.x;
    int i = my_blockId * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;

    // scan within the block
    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }

    // volatile: each access is made, in this order; yet other blocks may see the counter first
    if (tid == blockDim.x - 1) {
        while (atomicAdd(&my_block_count2, 0) < my_blockId) {}
        before = sum_so_far;
        sum_so_far = before + temp[tid];
        atomicAdd(&my_block_count2, 1);
    }
    __syncthreads();

    if (i < n) out[i] = before + temp[tid];
}
