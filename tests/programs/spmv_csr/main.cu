// Sparse matrix times vector, one thread a row and one warp a row; the matrix comes from a file.
#include <cmath>
#include <cstdio>
#include <exception>

#include "csr.h"

__global__ void spmv_scalar(int rows, const int* row_begin, const int* column, const float* value, const float* x,
                            float* y) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int k = row_begin[row]; k < row_begin[row + 1]; ++k) sum += value[k] * x[column[k]];
    y[row] = sum;
}

__global__ void spmv_vector(int rows, const int* __restrict__ row_begin, const int* __restrict__ column,
                            const float* __restrict__ value, const float* __restrict__ x, float* y) {
    const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    const int lane = threadIdx.x % 32;
    if (row >= rows) return;
    float sum = 0;
    for (int k = row_begin[row] + lane; k < row_begin[row + 1]; k += 32) sum += value[k] * __ldg(&x[column[k]]);
    for (int offset = 16; offset; offset /= 2) sum += __shfl_down_sync(~0u, sum, offset);
    if (lane == 0) y[row] = sum;
}

template <typename T>
T* to_device(const std::vector<T>& from) {
    T* to = nullptr;
    cudaMalloc(&to, from.size() * sizeof(T));
    cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    return to;
}

int main(int argc, char** argv) {
    CsrMatrix a;
    try {
        a = read_matrix_market(argc > 1 ? argv[1] : "graph.mtx");
    } catch (const std::exception& e) {
        fprintf(stderr, "%s\n", e.what());
        return 2;
    }
    std::vector<float> x(a.cols);
    for (int i = 0; i < a.cols; ++i) x[i] = 1.0f + i;
    const std::vector<float> expected = multiply(a, x);

    int* row_begin = to_device(a.row_begin);
    int* column = to_device(a.column);
    float* value = to_device(a.value);
    float* d_x = to_device(x);
    float* d_y;
    cudaMalloc(&d_y, a.rows * sizeof(float));

    std::vector<float> y(a.rows);
    int failed = 0;
    for (bool by_warp : {false, true}) {
        cudaMemset(d_y, 0, a.rows * sizeof(float));
        if (by_warp)
            spmv_vector<<<(a.rows * 32 + 127) / 128, 128>>>(a.rows, row_begin, column, value, d_x, d_y);
        else
            spmv_scalar<<<1, 64>>>(a.rows, row_begin, column, value, d_x, d_y);
        cudaMemcpy(y.data(), d_y, a.rows * sizeof(float), cudaMemcpyDeviceToHost);
        for (int i = 0; i < a.rows; ++i) failed += std::fabs(y[i] - expected[i]) > 1e-4f;
        printf("%s:", by_warp ? "warp a row" : "thread a row");
        for (float v : y) printf(" %g", v);
        printf("\n");
    }
    for (void* p : {(void*)row_begin, (void*)column, (void*)value, (void*)d_x, (void*)d_y}) cudaFree(p);
    printf("%d rows, %zu entries, %d wrong\n", a.rows, a.value.size(), failed);
    return failed;
}
