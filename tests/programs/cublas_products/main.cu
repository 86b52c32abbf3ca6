// cuBLAS between kernels: vectors, a matrix with a vector, matrices; results on the host and in device memory. All
// values are small integers, so that no order of summation shows.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                           \
    do {                                                                   \
        if ((x) != 0) {                                                    \
            printf("%s failed at %s:%d\n", #x, __FILE__, __LINE__);        \
            exit(EXIT_FAILURE);                                            \
        }                                                                  \
    } while (0)

// column-major: element (row, column) at column * rows + row
__global__ void fill(float *matrix, int rows, int columns, int factor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < rows * columns) matrix[i] = (i % rows * factor + i / rows) % 7 - 3;
}

int main()
{
    const int m = 12, n = 10, k = 16;
    float *a, *b, *c, *x, *y, *result;
    CHECK(cudaMalloc(&a, m * k * sizeof(float)));
    CHECK(cudaMalloc(&b, k * n * sizeof(float)));
    CHECK(cudaMalloc(&c, m * n * sizeof(float)));
    CHECK(cudaMalloc(&x, k * sizeof(float)));
    CHECK(cudaMalloc(&y, m * sizeof(float)));
    CHECK(cudaMalloc(&result, sizeof(float)));
    fill<<<2, 128>>>(a, m, k, 2);
    fill<<<2, 128>>>(b, k, n, 3);
    fill<<<1, 128>>>(x, k, 1, 1);
    CHECK(cudaMemset(y, 0, m * sizeof(float)));

    cublasHandle_t handle;
    CHECK(cublasCreate(&handle));
    const float one = 1, two = 2, zero = 0;
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &two, a, m, b, k, &zero, c, m));
    CHECK(cublasSgemv(handle, CUBLAS_OP_N, m, k, &one, a, m, x, 1, &zero, y, 1));
    CHECK(cublasSger(handle, m, n, &one, y, 1, x, 1, c, m));

    std::vector<float> ha(m * k), hb(k * n), hc(m * n), hx(k), hy(m);
    CHECK(cublasGetMatrix(m, k, sizeof(float), a, m, ha.data(), m));
    CHECK(cublasGetMatrix(k, n, sizeof(float), b, k, hb.data(), k));
    CHECK(cublasGetMatrix(m, n, sizeof(float), c, m, hc.data(), m));
    CHECK(cublasGetVector(k, sizeof(float), x, 1, hx.data(), 1));
    CHECK(cublasGetVector(m, sizeof(float), y, 1, hy.data(), 1));
    int wrong = 0;
    for (int i = 0; i < m; ++i) {
        float expected = 0;
        for (int l = 0; l < k; ++l) expected += ha[l * m + i] * hx[l];
        wrong += hy[i] != expected;
        for (int j = 0; j < n; ++j) {
            float product = 0;
            for (int l = 0; l < k; ++l) product += ha[l * m + i] * hb[j * k + l];
            wrong += hc[j * m + i] != 2 * product + expected * hx[j];
        }
    }
    printf("%d wrong\n", wrong);

    CHECK(cublasSaxpy(handle, k, &two, b, 1, x, 1));  // b's first column
    CHECK(cublasSscal(handle, k, &two, x, 1));
    float sum = 0, dot = 0;
    int largest = 0;
    CHECK(cublasSasum(handle, k, x, 1, &sum));
    CHECK(cublasSdot(handle, k, x, 1, b, 1, &dot));
    CHECK(cublasIsamax(handle, k, x, 1, &largest));
    float expectedSum = 0, expectedDot = 0, most = -1;
    int expectedLargest = 0;
    for (int l = 0; l < k; ++l) {
        const float value = 2 * (hx[l] + 2 * hb[l]), size = value < 0 ? -value : value;
        expectedSum += size;
        expectedDot += value * hb[l];
        if (size > most) {
            most = size;
            expectedLargest = l + 1;
        }
    }
    printf("%s %s %s\n", sum == expectedSum ? "sum" : "?", dot == expectedDot ? "dot" : "?",
           largest == expectedLargest ? "largest" : "?");
    CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    CHECK(cublasSdot(handle, k, x, 1, b, 1, result));
    float onDevice = 0;
    CHECK(cudaMemcpy(&onDevice, result, sizeof onDevice, cudaMemcpyDeviceToHost));
    printf("%s\n", onDevice == dot ? "the same on the device" : "another on the device");
    printf("%s\n", cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &two, a, 1, b, k, &zero, c, m) ==
                           CUBLAS_STATUS_INVALID_VALUE
                       ? "a leading dimension of 1 is refused"
                       : "?");

    CHECK(cublasDestroy(handle));
    for (float *pointer : {a, b, c, x, y, result}) CHECK(cudaFree(pointer));
    return wrong;
}
