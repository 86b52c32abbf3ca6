// CUB's device-wide sum, minimum and arg max, and its block reduction in a kernel of one's own.
#include <cub/block/block_reduce.cuh>
#include <cub/device/device_reduce.cuh>
#include <stdio.h>

#include <vector>

#define CHECK_CUDA(call)                                                                \
    {                                                                                   \
        cudaError_t error = call;                                                       \
        if (error != cudaSuccess) {                                                     \
            printf("CUDA error in line %d: %s\n", __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                    \
        }                                                                               \
    }

template <int BLOCK_THREADS, int ITEMS_PER_THREAD>
__global__ void BlockSumKernel(const int *d_in, int *d_out)
{
    typedef cub::BlockReduce<int, BLOCK_THREADS> BlockReduceT;
    __shared__ typename BlockReduceT::TempStorage temp_storage;
    int data[ITEMS_PER_THREAD];
    for (int i = 0; i < ITEMS_PER_THREAD; i++)
        data[i] = d_in[(blockIdx.x * BLOCK_THREADS + threadIdx.x) * ITEMS_PER_THREAD + i];
    int aggregate = BlockReduceT(temp_storage).Sum(data);
    if (threadIdx.x == 0) d_out[blockIdx.x] = aggregate;
}

struct LargestAbsolute {
    __host__ __device__ int operator()(int a, int b) const
    {
        const int aa = a < 0 ? -a : a, bb = b < 0 ? -b : b;
        return aa > bb ? aa : bb;
    }
};

int main()
{
    const int num_items = 2048;
    std::vector<int> h_in(num_items);
    int sum = 0, smallest = 1 << 30, absolute = 0;
    for (int i = 0; i < num_items; ++i) {
        h_in[i] = (i * 1597) % 4001 - 2500;
        sum += h_in[i];
        smallest = h_in[i] < smallest ? h_in[i] : smallest;
        absolute = LargestAbsolute()(absolute, h_in[i]);
    }
    int *d_in, *d_out;
    CHECK_CUDA(cudaMalloc((void **)&d_in, num_items * sizeof(int)));
    CHECK_CUDA(cudaMalloc((void **)&d_out, 8 * sizeof(int)));
    CHECK_CUDA(cudaMemcpy(d_in, h_in.data(), num_items * sizeof(int), cudaMemcpyHostToDevice));

    void *d_temp_storage = NULL;
    size_t temp_storage_bytes = 0;
    CHECK_CUDA(cub::DeviceReduce::Sum(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items));
    CHECK_CUDA(cudaMalloc(&d_temp_storage, temp_storage_bytes));
    CHECK_CUDA(cub::DeviceReduce::Sum(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items));
    CHECK_CUDA(cudaFree(d_temp_storage));

    d_temp_storage = NULL;
    temp_storage_bytes = 0;
    CHECK_CUDA(cub::DeviceReduce::Min(d_temp_storage, temp_storage_bytes, d_in, d_out + 1, num_items));
    CHECK_CUDA(cudaMalloc(&d_temp_storage, temp_storage_bytes));
    CHECK_CUDA(cub::DeviceReduce::Min(d_temp_storage, temp_storage_bytes, d_in, d_out + 1, num_items));
    CHECK_CUDA(cudaFree(d_temp_storage));

    d_temp_storage = NULL;
    temp_storage_bytes = 0;
    CHECK_CUDA(cub::DeviceReduce::Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out + 2, num_items,
                                           LargestAbsolute(), 0));
    CHECK_CUDA(cudaMalloc(&d_temp_storage, temp_storage_bytes));
    CHECK_CUDA(cub::DeviceReduce::Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out + 2, num_items,
                                           LargestAbsolute(), 0));
    CHECK_CUDA(cudaFree(d_temp_storage));

    BlockSumKernel<128, 4><<<num_items / 512, 128>>>(d_in, d_out + 4);
    CHECK_CUDA(cudaPeekAtLastError());
    int h_out[8];
    CHECK_CUDA(cudaMemcpy(h_out, d_out, sizeof(h_out), cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaFree(d_in));
    CHECK_CUDA(cudaFree(d_out));

    const int by_blocks = h_out[4] + h_out[5] + h_out[6] + h_out[7];
    printf("sum %d, by blocks %d, smallest %d, largest absolute %d\n", h_out[0], by_blocks, h_out[1], h_out[2]);
    const bool good = h_out[0] == sum && by_blocks == sum && h_out[1] == smallest && h_out[2] == absolute;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
