// The number of weights is limited by the array: n is too large, which is an error of the guess, not of the kernel.
__constant__ float weights[9];

__global__ void filter(const float* in, float* out, int n, int taps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < taps; ++k) sum += weights[k] * in[i + k];
    out[i] = sum;
}
