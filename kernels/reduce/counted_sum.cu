// four neighbours, which one instruction loads
struct alignas(16) Four {
    int x, y, z, w;
};

__device__ int sum_of_warp(int sum)
{
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    return sum;
}

template <int block, int batch>
__global__ void reduce(const int* in, int* out, unsigned long long* word, unsigned int n)
{
    __shared__ int warpSums[32];
    const Four* in4 = reinterpret_cast<const Four*>(in);
    unsigned int n4 = n / 4;
    unsigned int tid = threadIdx.x;

    // a thread has several loads in flight before it adds the first value
    int sum = 0;
    unsigned int first = blockIdx.x * block * batch;
    for (; first + block * batch <= n4; first += gridDim.x * block * batch) {
        Four values[batch];
        for (int k = 0; k < batch; k++) values[k] = in4[first + k * block + tid];
        for (int k = 0; k < batch; k++)
            sum += values[k].x + values[k].y + values[k].z + values[k].w;
    }

    // the last batch may be incomplete, and so may the last four elements
    for (unsigned int i = first + tid; i < n4; i += block) {
        Four four = in4[i];
        sum += four.x + four.y + four.z + four.w;
    }
    if (blockIdx.x == 0 && tid < n % 4) sum += in[4 * n4 + tid];

    // the sum of the block's values, valid in its first thread
    sum = sum_of_warp(sum);
    if (tid % 32 == 0) warpSums[tid / 32] = sum;
    __syncthreads();
    if (tid >= 32) return;
    sum = sum_of_warp(tid < block / 32 ? warpSums[tid] : 0);
    if (tid > 0) return;

    // a block that is alone has the result
    if (gridDim.x == 1) {
        out[0] = sum;
        return;
    }

    // one atomic operation adds the sum to the upper half and counts the block in the lower half
    unsigned long long before = atomicAdd(word, (unsigned long long)sum << 32 | 1);
    if ((unsigned int)before == gridDim.x - 1) {
        out[0] = (int)(before >> 32) + sum;
        *word = 0;
    }
}
