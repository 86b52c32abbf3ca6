// A fence orders for the threads of its scope: a fence of block scope orders nothing for other blocks.
__device__ unsigned finished = 0;

__global__ void faulty(const int* in, int* out, int* parts) {
    if (threadIdx.x != 0) return;
    parts[blockIdx.x] = in[blockIdx.x];
    __threadfence_block();
    bool last = atomicAdd(&finished, 1) == gridDim.x - 1;
    __threadfence();
    if (!last) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += parts[i];
    out[0] = sum;
}

__global__ void sound(const int* in, int* out, int* parts) {
    if (threadIdx.x != 0) return;
    parts[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    bool last = atomicAdd(&finished, 1) == gridDim.x - 1;
    __threadfence();
    if (!last) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += parts[i];
    out[0] = sum;
}

// Between two warps of a block it suffices.
__global__ void sound_within_a_block(const int* in, int* out, int* parts) {
    __shared__ volatile int ready;
    if (threadIdx.x == 0) ready = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x];
        __threadfence_block();
        ready = 1;
    }
    if (threadIdx.x == 32) {
        while (ready == 0) {}
        __threadfence_block();
        out[blockIdx.x] = parts[blockIdx.x];
    }
}
// lanescope: n = 8
// lanescope: block = 64
// lanescope: grid = 8
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(8)
// lanescope: arg parts = zeros(8)
