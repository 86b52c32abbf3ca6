// The number of weights is a size, but not n.
// lanescope: n = 512
__constant__ float mask[9];

__global__ void weigh(const float* in, float* out, int n, int mask_size) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = 0; k < mask_size; ++k) sum += mask[k] * in[i + k];
    out[i] = sum;
}
