// Reduction with shuffles, from a course's exercise sheet.
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <iostream>
namespace cg = cooperative_groups;

#define FULL_MASK 0xffffffffu

template <typename T>
__inline__ __device__ T warpReduceSum(T val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(FULL_MASK, val, offset);
    return val;
}

template <typename T>
__global__ void blockReduce(T *in, T *out, size_t N) {
    static __shared__ T shared[32];
    auto block = cg::this_thread_block();
    T sum = T(0);
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x) sum += in[i];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize;
    sum = warpReduceSum(sum);
    if (lane == 0) shared[wid] = sum;
    block.sync();
    sum = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : T(0);
    if (wid == 0) sum = warpReduceSum(sum);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <typename T>
void run(size_t N) {
    T *in, *out;
    cudaMallocManaged(&in, N * sizeof(T));
    cudaMallocManaged(&out, 1024 * sizeof(T));
    for (size_t i = 0; i < N; i++) in[i] = T(i);
    int threads = 512;
    int blocks = std::min((int)((N + threads - 1) / threads), 1024);
    blockReduce<float><<<blocks, threads>>>(in, out, N);
    blockReduce<<<1, 1024>>>(out, out, blocks);
    cudaDeviceSynchronize();
    std::cout << "sum " << out[0] << '\n';
}

int main() { run<float>(1 << 20); }
