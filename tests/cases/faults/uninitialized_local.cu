// Three of a thread's four values are written, and all four are added.
__global__ void faulty(const int* in, int* out) {
    int kept[4];
    for (int i = 0; i < 3; ++i) kept[i] = in[threadIdx.x * 4 + i];
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 4; ++i) sum += kept[(i + in[0]) & 3];
    out[threadIdx.x] = sum;
}

__global__ void sound(const int* in, int* out) {
    int kept[4];
    for (int i = 0; i < 4; ++i) kept[i] = in[threadIdx.x * 4 + i];
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < 4; ++i) sum += kept[(i + in[0]) & 3];
    out[threadIdx.x] = sum;
}
// lanescope: n = 32
// lanescope: block = 8
// lanescope: grid = 1
// lanescope: input = iota
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(8)
