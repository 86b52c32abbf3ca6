#include <cstdio>

__global__ void square(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] * in[threadIdx.x]; }

int main() {
    int h[4] = {1, 2, 3, 4}, *in, *out;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    square<<<1, 4>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    bool right = h[3] == 15;
    printf(right ? "PASSED\n" : "FAILED\n");
    return right ? 0 : 1;
}
