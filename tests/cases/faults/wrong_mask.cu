// The mask names all lanes, but half of them never execute the instruction.
__global__ void faulty(const int* in, int* out) {
    int value = in[threadIdx.x];
    if (threadIdx.x < 16) value += __shfl_xor_sync(0xffffffff, value, 8);
    if (threadIdx.x < 4) value += __ballot_sync(0x3, value > 3);
    out[threadIdx.x] = value;
}

__global__ void sound(const int* in, int* out) {
    int value = in[threadIdx.x];
    unsigned lower = __ballot_sync(0xffffffff, threadIdx.x < 16);
    if (threadIdx.x < 16) value += __shfl_xor_sync(lower, value, 8);
    if (threadIdx.x < 4) value += __ballot_sync(0xf, value > 3);
    out[threadIdx.x] = value;
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
