#include <cub/block/block_scan.cuh>

struct Add {
    __device__ int operator()(int a, int b) const { return a + b; }
};

template <int block, cub::BlockScanAlgorithm algorithm>
__global__ void scan_blocks(const int* in, int* out, int n)
{
    using BlockScan = cub::BlockScan<int, block, algorithm>;
    __shared__ typename BlockScan::TempStorage storage;

    int i = blockIdx.x * block + threadIdx.x;
    int value = i < n ? in[i] : 0;
    int sum;
    BlockScan(storage).InclusiveScan(value, sum, Add());

    if (i < n) out[i] = sum;
}
