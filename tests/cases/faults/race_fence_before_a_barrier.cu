// Every thread executes a fence after its write, the block synchronizes, and one thread sets a flag. __threadfence() is
// a fence.sc, and all of these have one total order: a thread that sees the flag and then executes a fence comes after
// all of them. A fence.acq_rel orders only the writes of its own thread.
#include <cuda/atomic>

__device__ unsigned arrived = 0;

__device__ void await_all_blocks(unsigned blocks) {
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < blocks) {}
        __threadfence();
    }
    __syncthreads();
}

__global__ void faulty(const int* in, int* out, int* parts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    parts[i] = in[i];
    cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
    __syncthreads();
    await_all_blocks(gridDim.x);
    out[i] = parts[gridDim.x * blockDim.x - 1 - i];
}

__global__ void faulty_without(const int* in, int* out, int* parts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    parts[i] = in[i];
    __syncthreads();
    await_all_blocks(gridDim.x);
    out[i] = parts[gridDim.x * blockDim.x - 1 - i];
}

__global__ void sound(const int* in, int* out, int* parts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    parts[i] = in[i];
    __threadfence();
    __syncthreads();
    await_all_blocks(gridDim.x);
    out[i] = parts[gridDim.x * blockDim.x - 1 - i];
}
// The fence of each reading thread follows the barrier after the wait.
__global__ void sound_for_each_reader(const int* in, int* out, int* parts) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    parts[i] = in[i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1);
        while (atomicAdd(&arrived, 0) < gridDim.x) {}
    }
    __syncthreads();
    __threadfence();
    out[i] = parts[gridDim.x * blockDim.x - 1 - i];
}
// lanescope: n = 256
// lanescope: block = 64
// lanescope: grid = 4
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg parts = zeros(n)
