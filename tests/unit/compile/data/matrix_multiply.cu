#include <iostream>
#include <vector>
#include <chrono>
#include "helper_cuda.h"

using namespace std;

const int TILE = 16;

struct Matrix {
    int rows, cols;
    float* data;
};

__device__ float at(const Matrix m, int r, int c) { return m.data[r * m.cols + c]; }

__global__ void matMul(const float* A, const float* B, float* C, int width) {
    __shared__ float As[TILE][TILE];
    __shared__ float Bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int m = 0; m < (width + TILE - 1) / TILE; ++m) {
        As[threadIdx.y][threadIdx.x] = (row < width && m * TILE + threadIdx.x < width) ? A[row * width + m * TILE + threadIdx.x] : 0.0f;
        Bs[threadIdx.y][threadIdx.x] = (col < width && m * TILE + threadIdx.y < width) ? B[(m * TILE + threadIdx.y) * width + col] : 0.0f;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += As[threadIdx.y][k] * Bs[k][threadIdx.x];
        __syncthreads();
    }
    if (row < width && col < width) C[row * width + col] = sum;
}

class Timer {
public:
    Timer() : start_(chrono::high_resolution_clock::now()) {}
    double ms() const { return chrono::duration<double, milli>(chrono::high_resolution_clock::now() - start_).count(); }
private:
    chrono::high_resolution_clock::time_point start_;
};

static vector<float> random_matrix(int n) {
    vector<float> m(n * n);
    for (auto& x : m) x = rand() / static_cast<float>(RAND_MAX);
    return m;
}

int main(int argc, char** argv) {
    int n = 64;
    if (argc > 1) n = atoi(argv[1]);
    vector<float> a = random_matrix(n), b = random_matrix(n), c(n * n);
    float *dA, *dB, *dC;
    cudaMalloc((void**)&dA, n * n * sizeof(float));
    cudaMalloc((void**)&dB, n * n * sizeof(float));
    cudaMalloc((void**)&dC, n * n * sizeof(float));
    cudaMemcpy(dA, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(dB, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    dim3 block(TILE, TILE);
    dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    Timer timer;
    matMul<<<grid, block>>>(dA, dB, dC, n);
    cudaDeviceSynchronize();
    cout << "took " << timer.ms() << " ms" << endl;
    cudaMemcpy(c.data(), dC, n * n * sizeof(float), cudaMemcpyDeviceToHost);
}
