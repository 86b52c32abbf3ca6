// A barrier with a thread count also waits for threads that have returned.
__global__ void faulty(const int* in, int* out) {
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void sound(const int* in, int* out) {
    __shared__ int cells[32];
    if (threadIdx.x < 32) {
        cells[threadIdx.x] = in[threadIdx.x];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        out[threadIdx.x] = 1;
    } else {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        out[threadIdx.x] = cells[threadIdx.x - 32];
    }
}
// lanescope: n = 64
// lanescope: block = 64
// lanescope: grid = 1
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
