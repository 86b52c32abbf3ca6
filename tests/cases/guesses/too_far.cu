// No guessed buffer is large enough for this.
__global__ void scatter(const float* in, float* out, long long pitch) {
    long long i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i * pitch * 1000000] = in[i];
}
