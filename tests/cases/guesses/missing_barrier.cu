// An error of the kernel, whatever is guessed.
__global__ void shift(const int* in, int* out, int n) {
    __shared__ int tile[1024];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    if (i < n) out[i] = tile[(t + 1) % blockDim.x];
}
