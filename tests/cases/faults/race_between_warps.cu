// Each thread reads its neighbor's value and overwrites it with its own, without a barrier between.
__global__ void faulty(const int* in, int* out) {
    __shared__ int cells[64];
    cells[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int next = cells[(threadIdx.x + 32) % 64];
    cells[threadIdx.x] = next;
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}

__global__ void sound(const int* in, int* out) {
    __shared__ int cells[64];
    cells[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    int next = cells[(threadIdx.x + 32) % 64];
    __syncthreads();
    cells[threadIdx.x] = next;
    __syncthreads();
    out[threadIdx.x] = cells[threadIdx.x];
}
// lanescope: n = 64
// lanescope: block = 64
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
