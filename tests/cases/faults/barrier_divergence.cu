// A barrier that only half of a warp reaches before the other half is at another.
__global__ void faulty(const int* in, int* out) {
    __shared__ int cells[32];
    cells[threadIdx.x] = in[threadIdx.x];
    if (threadIdx.x < 16) {
        __syncthreads();
        cells[threadIdx.x] += cells[threadIdx.x + 16];
    }
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}

// An early return is not a fault: barriers wait only for the remaining threads.
__global__ void sound(const int* in, int* out, int n) {
    __shared__ int cells[32];
    if (threadIdx.x >= n) return;
    cells[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n / 2) cells[threadIdx.x] += cells[threadIdx.x + n / 2];
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}
// lanescope: n = 24
// lanescope: block = 32
// lanescope: grid = 1
// lanescope: arg in = input(n, 32)
// lanescope: arg out = zeros(32)
