// A shuffle waits for no lane that has returned, even if its mask names it (PTX ISA 9.7.9.6); reading it is a fault.
__global__ void faulty(const int* in, int* out, int n) {
    if (threadIdx.x >= n) return;
    int value = in[threadIdx.x];
    value += __shfl_down_sync(0xffffffff, value, 1);
    out[threadIdx.x] = value;
}

__global__ void sound(const int* in, int* out, int n) {
    if (threadIdx.x >= n) return;
    int value = in[threadIdx.x];
    const unsigned positive = __ballot_sync(0xffffffff, value > 0);
    value += __shfl_xor_sync(0xffffffff, value, 1);
    out[threadIdx.x] = value + __popc(positive);
}

__global__ void sound_in_a_loop(const int* in, int* out, int n) {
    __shared__ int cells[32];
    int sum = 0;
    for (int i = 0; i < 4; ++i) {
        if (i == 2 && threadIdx.x >= n) return;
        sum += in[(threadIdx.x + i) % n];
    }
    cells[threadIdx.x] = sum;
    __syncwarp();
    out[threadIdx.x] = cells[n - 1 - threadIdx.x];
}
// lanescope: n = 20
// lanescope: block = 32
// lanescope: grid = 1
// lanescope: arg in = input(n, 32)
// lanescope: arg out = zeros(32)
// lanescope: arg n = n
