// Dynamic shared memory begins where a static array ends, and is not part of the array.
__global__ void faulty(const int* in, int* out) {
    __shared__ int cells[32];
    cells[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) cells[32] = 1;
    out[threadIdx.x] = cells[threadIdx.x];
}

__global__ void sound(const int* in, int* out) {
    __shared__ int cells[32];
    extern __shared__ int more[];
    cells[threadIdx.x] = in[threadIdx.x];
    more[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = cells[31 - threadIdx.x] + more[31 - threadIdx.x];
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: grid = 1
// lanescope: shared = block * sizeof(int)
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
