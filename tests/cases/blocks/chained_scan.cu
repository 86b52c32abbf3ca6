// Each block waits for the sum of all blocks before it and passes on its own. Blocks take numbers by an atomic, so that
// none waits for a block that has not begun.
__device__ unsigned next = 0;
__device__ volatile int ready[64];
__device__ volatile int sums[64];

__global__ void kernel(const int* in, int* out) {
    __shared__ unsigned block;
    __shared__ int before;
    __shared__ int cells[32];
    if (threadIdx.x == 0) block = atomicAdd(&next, 1);
    __syncthreads();
    int i = block * blockDim.x + threadIdx.x;
    cells[threadIdx.x] = in[i];
    __syncthreads();
    for (int d = 1; d < blockDim.x; d *= 2) {
        int left = threadIdx.x >= d ? cells[threadIdx.x - d] : 0;
        __syncthreads();
        cells[threadIdx.x] += left;
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        int sum = 0;
        if (block > 0) {
            while (ready[block - 1] == 0) {
            }
            __threadfence();
            sum = sums[block - 1];
        }
        sums[block] = sum + cells[blockDim.x - 1];
        __threadfence();
        ready[block] = 1;
        before = sum;
    }
    __syncthreads();
    out[i] = before + cells[threadIdx.x];
}
// lanescope: n = 640
// lanescope: block = 32
// lanescope: input = ones
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
