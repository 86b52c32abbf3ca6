__device__ unsigned int my_block_count = 0;
__device__ unsigned int my_block_count2 = 0;
__device__ volatile int sum_so_far = 0;

__global__ void scan(const int* in, int* out, int n)
{
    extern __shared__ int temp[];
    __shared__ unsigned int my_blockId;

    // blocks take numbers in the order in which they start
    if (threadIdx.x == 0)
        my_blockId = atomicInc(&my_block_count, (unsigned int)-1);
    __syncthreads();

    int tid = threadIdx.x;
    int i = my_blockId * blockDim.x + tid;
    temp[tid] = i < n ? in[i] : 0;

    // the downward pass: the sum of the block becomes the last element
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        __syncthreads();
        int right = 2 * stride * (tid + 1) - 1;
        if (right < blockDim.x) temp[right] += temp[right - stride];
    }
    __syncthreads();

    // wait for the sum of the blocks before; it replaces the initial value 0 of the upward pass
    if (tid == 0) {
        while (atomicAdd(&my_block_count2, 0) < my_blockId) {}
        __threadfence();
        int before = sum_so_far;
        sum_so_far = before + temp[blockDim.x - 1];
        __threadfence();
        atomicAdd(&my_block_count2, 1);
        temp[blockDim.x - 1] = before;
    }

    // the upward pass
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

    if (i < n) out[i] = temp[tid];
}
