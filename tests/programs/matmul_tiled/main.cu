// Matrix multiplication in shared memory: matmul -m rows -k inner -n columns [-t tile] [-v]
#include <cuda_runtime.h>
#include <unistd.h>

#include "matrix.hpp"

template <int TILE>
__global__ void matmul(const float* A, const float* B, float* C, int M, int K, int N) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
        const int a_col = t * TILE + threadIdx.x;
        const int b_row = t * TILE + threadIdx.y;
        As[threadIdx.y][threadIdx.x] = row < M && a_col < K ? A[row * K + a_col] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = b_row < K && col < N ? B[b_row * N + col] : 0.0f;
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

template <int TILE>
void multiply(const Matrix& a, const Matrix& b, Matrix& c) {
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, a.bytes());
    cudaMalloc(&d_b, b.bytes());
    cudaMalloc(&d_c, c.bytes());
    cudaMemcpy(d_a, a.data(), a.bytes(), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), b.bytes(), cudaMemcpyHostToDevice);
    const dim3 block(TILE, TILE);
    const dim3 grid((c.cols() + TILE - 1) / TILE, (c.rows() + TILE - 1) / TILE);
    matmul<TILE><<<grid, block>>>(d_a, d_b, d_c, a.rows(), a.cols(), b.cols());
    cudaMemcpy(c.data(), d_c, c.bytes(), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
}

int main(int argc, char* argv[]) {
    int m = 16, k = 16, n = 16, tile = 16, option;
    bool verbose = false;
    while ((option = getopt(argc, argv, "m:k:n:t:v")) != -1) {
        switch (option) {
            case 'm': m = atoi(optarg); break;
            case 'k': k = atoi(optarg); break;
            case 'n': n = atoi(optarg); break;
            case 't': tile = atoi(optarg); break;
            case 'v': verbose = true; break;
            default: std::cerr << "usage: " << argv[0] << " [-m M] [-k K] [-n N] [-t 8|16] [-v]\n"; return 1;
        }
    }
    Matrix a(m, k), b(k, n), c(m, n);
    a.fill([](int i, int j) { return float((i + 2 * j) % 7) - 3; });
    b.fill([](int i, int j) { return float((3 * i + j) % 5) - 2; });

    switch (tile) {
        case 8: multiply<8>(a, b, c); break;
        case 16: multiply<16>(a, b, c); break;
        default: std::cerr << "no kernel for tiles of " << tile << "\n"; return 1;
    }
    const Matrix expected = a * b;
    std::cout << m << "x" << k << " * " << k << "x" << n << ", tile " << tile << "\n";
    if (verbose) std::cout << c.corner(4);
    std::cout << "largest difference " << c.largest_difference(expected) << "\n";
    return c.largest_difference(expected) == 0 ? 0 : 1;
}
