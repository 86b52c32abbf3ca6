// The block that finishes last adds the sums of all.
__device__ unsigned finished = 0;

__global__ void kernel(const int* in, int* out, int* parts) {
    __shared__ bool last;
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    int all = 0;
    for (int i = 0; i < gridDim.x; ++i) all += parts[i];
    out[0] = all;
}
// lanescope: n = 640
// lanescope: block = 32
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(1)
// lanescope: arg parts = zeros(grid)
