// SAXPY with its allocations inside assert, as many exercise sheets write them.
#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void saxpy(int n, float a, const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}

int main() {
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    float* x = (float*)malloc(bytes);
    float* y = (float*)malloc(bytes);
    for (int i = 0; i < n; i++) {
        x[i] = i * 0.5f;
        y[i] = 1.0f;
    }

    float *d_x, *d_y;
    assert(cudaMalloc(&d_x, bytes) == cudaSuccess);
    assert(cudaMalloc(&d_y, bytes) == cudaSuccess);
    assert(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    assert(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice) == cudaSuccess);

    saxpy<<<(n + 127) / 128, 128>>>(n, 2.0f, d_x, d_y);
    assert(cudaGetLastError() == cudaSuccess);
    assert(cudaDeviceSynchronize() == cudaSuccess);
    assert(cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);

    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (fabsf(y[i] - (i + 1.0f)) > 1e-6f) wrong++;
    printf("y[0] = %.1f, y[%d] = %.1f, wrong: %d\n", y[0], n - 1, y[n - 1], wrong);

    assert(cudaFree(d_x) == cudaSuccess);
    assert(cudaFree(d_y) == cudaSuccess);
    free(x);
    free(y);
    return wrong != 0;
}
