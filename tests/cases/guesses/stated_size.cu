// With a stated size, the finding is the kernel's.
// lanescope: n = 64
// lanescope: block = 32
// lanescope: arg in = input(n)
__global__ void difference(const float* in, float* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[2 * i] = in[i + 1] - in[i];
}
