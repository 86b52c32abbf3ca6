// A barrier of the whole grid by a counter: more blocks than are resident at once can never all arrive. Each takes
// most of a multiprocessor's shared memory, so an H200 holds 132 of them. In the sound twin half of the blocks return.
__device__ unsigned arrived;

__device__ void meet(unsigned blocks) {
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&arrived, 1);
        while (*(volatile unsigned*)&arrived < blocks) {
        }
    }
    __syncthreads();
}

__global__ void faulty(int* out) {
    extern __shared__ int most[];
    most[threadIdx.x] = blockIdx.x;
    meet(gridDim.x);
    out[blockIdx.x * blockDim.x + threadIdx.x] = most[threadIdx.x];
}

__global__ void sound(int* out) {
    extern __shared__ int most[];
    if (blockIdx.x >= gridDim.x / 2) return;
    most[threadIdx.x] = blockIdx.x;
    meet(gridDim.x / 2);
    out[blockIdx.x * blockDim.x + threadIdx.x] = most[threadIdx.x];
}
// lanescope: n = 4800
// lanescope: block = 32
// lanescope: grid = 150
// lanescope: shared = 200000
// lanescope: arg out = zeros(n)
