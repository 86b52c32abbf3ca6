// The next shared array begins past the end of the first: the hardware reports nothing, and the result is wrong.
__global__ void faulty(const int* in, int* out) {
    __shared__ int left[32];
    __shared__ int right[32];
    left[threadIdx.x] = in[threadIdx.x];
    right[threadIdx.x] = -in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = left[threadIdx.x + 1] + right[31 - threadIdx.x] + right[threadIdx.x + 1];
}

__global__ void sound(const int* in, int* out) {
    __shared__ int left[33];
    __shared__ int right[33];
    left[threadIdx.x] = in[threadIdx.x];
    right[threadIdx.x] = -in[threadIdx.x];
    if (threadIdx.x == 0) left[32] = right[32] = 0;
    __syncthreads();
    out[threadIdx.x] = left[threadIdx.x + 1] + right[31 - threadIdx.x] + right[threadIdx.x + 1];
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
