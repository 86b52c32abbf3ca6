// The last block to finish adds the others' sums: each block needs a fence between storing its sum and counting itself.
__device__ unsigned finished = 0;

__global__ void faulty(const int* in, int* out, int* parts) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += parts[i];
    out[0] = sum;
}

__global__ void sound(const int* in, int* out, int* parts) {
    __shared__ bool last;
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    int sum = 0;
    for (int i = 0; i < gridDim.x; ++i) sum += parts[i];
    out[0] = sum;
}
// lanescope: n = 8
// lanescope: block = 32
// lanescope: grid = 8
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(1)
// lanescope: arg parts = zeros(8)
