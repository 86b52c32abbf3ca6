// One source for two precisions and two systems: the preprocessor chooses types, sizes and the launch.
#include <cstdio>
#include <vector>

#define BLOCK 64
// #define DOUBLE_PRECISION

#ifdef DOUBLE_PRECISION
typedef double real;
#define FORMAT "%.3lf"
#else
typedef float real;
#define FORMAT "%.3f"
#endif

#if defined(_WIN32)
static const char* host_system = "windows";
#elif defined(__linux__)
static const char* host_system = "linux";
#else
#error "unknown system"
#endif

#ifndef ROUNDS
#define ROUNDS 3
#endif

__global__ void halve(real* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#if defined(__CUDA_ARCH__)
    if (i < n) v[i] *= (real)0.5;
#endif
}

int main() {
    const int n = 500;
    std::vector<real> v(n);
    for (int i = 0; i < n; ++i) v[i] = (real)i;

    real* d;
    cudaMalloc((void**)&d, n * sizeof(real));
    cudaMemcpy(d, v.data(), n * sizeof(real), cudaMemcpyHostToDevice);
#ifdef ONE_BLOCK
    halve<<<1, n>>>(d, n);
#else
    for (int round = 0; round < ROUNDS; ++round) halve<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d, n);
#endif
    cudaMemcpy(v.data(), d, n * sizeof(real), cudaMemcpyDeviceToHost);
    cudaFree(d);

#ifdef _WIN32
    system("pause");
#endif
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += v[i] != (real)i / 8;
    printf("%s, %d bytes a value\n", host_system, (int)sizeof(real));
    printf("last: " FORMAT "\n", v[n - 1]);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong ? 1 : 0;
}
