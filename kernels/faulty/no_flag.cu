__device__ unsigned int my_block_count = 0;
__device__ int sum_so_far = 0;

__global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int temp[];
    __shared__ unsigned int my_blockId;
    __shared__ int before;

    // blocks take numbers in the order in which they start
    if (threadIdx.x == 0)
        my_blockId = atomicInc(&my_block_count, (unsigned int)-1);
    __syncthreads();

    int tid = threadIdx.x;
    int i = my_blockId * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;

    for (int d = 1; d < blockDim.x; d <<= 1) {
        __syncthreads();
        int left = tid >= d ? temp[tid - d] : 0;
        __syncthreads();
        temp[tid] += left;
    }

    // nothing waits: the block before may not have written its sum yet
    if (tid == blockDim.x - 1) {
        before = sum_so_far;
        sum_so_far = before + temp[tid];
        __threadfence();
    }
    __syncthreads();

    if (i < n) out[i] = before + temp[tid];
}
