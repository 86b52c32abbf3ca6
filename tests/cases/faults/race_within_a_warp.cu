// The lanes of a warp need not execute in lockstep: volatile constrains the compiler, not the hardware.
__global__ void faulty(const int* in, int* out) {
    __shared__ volatile int cells[32];
    int lane = threadIdx.x;
    cells[lane] = in[lane];
    if (lane < 16) {
        cells[lane] += cells[lane + 16];
        cells[lane] += cells[lane + 8];
    }
    out[lane] = cells[lane];
}

__global__ void sound(const int* in, int* out) {
    __shared__ int cells[32];
    int lane = threadIdx.x;
    int sum = in[lane];
    cells[lane] = sum;
    __syncwarp();
    for (int d = 16; d >= 8; d /= 2) {
        int other = lane < 16 ? cells[lane + d] : 0;
        __syncwarp();
        if (lane < 16) cells[lane] = sum += other;
        __syncwarp();
    }
    out[lane] = cells[lane];
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
