// A thread that sets a counter to zero and then adds to it orders its own two accesses, not its zero and others' adds.
__global__ void faulty(const int* in, int* bins) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x == 0 && threadIdx.x < 8) bins[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&bins[in[i] & 7], 1);
}

__global__ void faulty_in_a_warp(const int* in, int* bins) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    atomicAdd(&count, in[threadIdx.x]);
    __syncthreads();
    if (blockIdx.x == 0 && threadIdx.x == 0) bins[0] = count;
}

__global__ void faulty_read(const int* in, int* bins) {
    if (threadIdx.x != 0) return;
    const int before = bins[0];
    atomicAdd(&bins[0], in[blockIdx.x]);
    bins[1 + blockIdx.x] = before;
}

__global__ void faulty_scope(const int* in, int* bins) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) atomicAdd_block(&bins[0], in[0]);
    atomicAdd(&bins[0], in[1]);
}

__global__ void sound(const int* in, int* bins) {
    __shared__ int own[8];
    if (threadIdx.x < 8) own[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&own[in[blockIdx.x * blockDim.x + threadIdx.x] & 7], 1);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
// lanescope: n = 256
// lanescope: block = 64
// lanescope: grid = 4
// lanescope: arg in = input(n)
// lanescope: arg bins = zeros(8)
