#include <cub/block/block_reduce.cuh>

template <int block, cub::BlockReduceAlgorithm algorithm>
__global__ void sum_blocks(const int* in, int* out, int n)
{
    using BlockReduce = cub::BlockReduce<int, block, algorithm>;
    __shared__ typename BlockReduce::TempStorage storage;

    int i = blockIdx.x * block + threadIdx.x;
    int value = i < n ? in[i] : 0;
    int sum = BlockReduce(storage).Sum(value);

    // the sum is valid in thread 0 only
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
