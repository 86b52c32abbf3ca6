// A trap at a value that must not occur.
__global__ void faulty(const int* in, int* out) {
    if (in[threadIdx.x] > 20) __trap();
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void sound(const int* in, int* out) {
    if (in[threadIdx.x] > 100) __trap();
    out[threadIdx.x] = in[threadIdx.x];
}
// lanescope: n = 32
// lanescope: block = 32
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
