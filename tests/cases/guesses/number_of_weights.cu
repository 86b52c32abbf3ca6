// As many weights as the array has room for: n is too many, and the guess, not the kernel, is at fault.
__constant__ float weights[9];

__global__ void filter(const float* in, float* out, int n, int taps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < taps; ++k) sum += weights[k] * in[i + k];
    out[i] = sum;
}
