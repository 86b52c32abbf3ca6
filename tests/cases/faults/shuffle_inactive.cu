// Half of a warp takes part in a shuffle, and reads from the other half.
__global__ void faulty(const int* in, int* out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_down_sync(0x0000ffff, value, 8, 32);
    out[threadIdx.x] = value;
}

__global__ void sound(const int* in, int* out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_down_sync(0x0000ffff, value, 8, 16);
    out[threadIdx.x] = value;
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
