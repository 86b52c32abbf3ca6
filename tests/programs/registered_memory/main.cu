// Memory of malloc, registered and mapped: kernels work on the host's own arrays.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                  \
    do {                                                                             \
        cudaError_t e = (call);                                                      \
        if (e != cudaSuccess) {                                                      \
            printf("%s at line %d\n", cudaGetErrorName(e), __LINE__);                \
            exit(1);                                                                 \
        }                                                                            \
    } while (0)

__global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3.0f * in[i];
}

int main()
{
    const int n = 5000;
    const size_t bytes = n * sizeof(float), page = 4096;
    float *in = (float *)aligned_alloc(page, (bytes + page - 1) / page * page);
    float *out = (float *)aligned_alloc(page, (bytes + page - 1) / page * page);
    for (int i = 0; i < n; ++i) in[i] = i;
    CHECK(cudaHostRegister(in, bytes, cudaHostRegisterMapped));
    CHECK(cudaHostRegister(out, bytes, cudaHostRegisterMapped));
    float *deviceIn, *deviceOut;
    CHECK(cudaHostGetDevicePointer(&deviceIn, in, 0));
    CHECK(cudaHostGetDevicePointer(&deviceOut, out, 0));
    double sum = 0;
    for (int round = 0; round < 2; ++round) {
        in[1] = 10 + round;  // without a copy
        scale<<<(n + 255) / 256, 256>>>(deviceIn, deviceOut, n);
        CHECK(cudaDeviceSynchronize());
        sum += out[1];
    }
    CHECK(cudaHostUnregister(in));
    CHECK(cudaHostUnregister(out));
    int wrong = 0;
    for (int i = 2; i < n; ++i) wrong += out[i] != 3.0f * i || in[i] != i;
    printf("%g, %d wrong\n", sum, wrong);
    printf("%s\n", cudaGetErrorName(cudaHostUnregister(in)));
    free(in);
    free(out);
    return wrong;
}
