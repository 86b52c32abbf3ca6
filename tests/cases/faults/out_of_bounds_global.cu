// The last thread reads its right neighbor, which does not exist.
__global__ void faulty(const int* in, int* out) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    out[i] = in[i] + in[i + 1];
}

__global__ void sound(const int* in, int* out, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    out[i] = i + 1 < n ? in[i] + in[i + 1] : in[i];
}
// lanescope: n = 64
// lanescope: block = 32
// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
