// Jacobi iteration for a diagonally dominant system until the change is small enough.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "helper_cuda.h"

#define N_ROWS 64

static __constant__ double b_const[N_ROWS];

__global__ void JacobiMethod(const double *__restrict__ A, const double *__restrict__ x, double *x_new, double *change)
{
    __shared__ double moved[N_ROWS];
    const int i = threadIdx.x;
    double rem = b_const[i];
    for (int j = 0; j < N_ROWS; ++j)
        if (j != i) rem -= A[i * N_ROWS + j] * x[j];
    const double next = rem / A[i * N_ROWS + i];
    x_new[i] = next;
    moved[i] = fabs(next - x[i]);
    __syncthreads();
    for (int s = N_ROWS / 2; s > 0; s >>= 1) {
        if (i < s) moved[i] = fmax(moved[i], moved[i + s]);
        __syncthreads();
    }
    if (i == 0) *change = moved[0];
}

int main(int argc, char **argv)
{
    const double tolerance = argc > 1 ? atof(argv[1]) : 1e-6;
    double *A = new double[N_ROWS * N_ROWS], b[N_ROWS], x[N_ROWS] = {};
    for (int i = 0; i < N_ROWS; i++) {
        b[i] = 2.0 * N_ROWS;
        for (int j = 0; j < N_ROWS; j++) A[i * N_ROWS + j] = i == j ? 1.25 * N_ROWS : 1.0;
    }
    double *d_A, *d_x, *d_new, *d_change;
    checkCudaErrors(cudaMalloc(&d_A, sizeof(double) * N_ROWS * N_ROWS));
    checkCudaErrors(cudaMalloc(&d_x, sizeof(x)));
    checkCudaErrors(cudaMalloc(&d_new, sizeof(x)));
    checkCudaErrors(cudaMalloc(&d_change, sizeof(double)));
    checkCudaErrors(cudaMemcpy(d_A, A, sizeof(double) * N_ROWS * N_ROWS, cudaMemcpyHostToDevice));
    checkCudaErrors(cudaMemcpyToSymbol(b_const, b, sizeof(b)));
    checkCudaErrors(cudaMemset(d_x, 0, sizeof(x)));

    double change = 0;
    int iterations = 0;
    do {
        JacobiMethod<<<1, N_ROWS>>>(d_A, d_x, d_new, d_change);
        getLastCudaError("JacobiMethod");
        checkCudaErrors(cudaMemcpy(&change, d_change, sizeof(double), cudaMemcpyDeviceToHost));
        std::swap(d_x, d_new);
        iterations++;
        if (iterations % 15 == 0) printf("after %2d iterations the change is %.4f\n", iterations, change);
    } while (change > tolerance && iterations < 400);
    checkCudaErrors(cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost));

    double residual = 0;
    for (int i = 0; i < N_ROWS; i++) {
        double sum = -b[i];
        for (int j = 0; j < N_ROWS; j++) sum += A[i * N_ROWS + j] * x[j];
        residual = fmax(residual, fabs(sum));
    }
    printf("%s, x[0] = %.3f, residual %s\n", change <= tolerance ? "converged" : "stopped", x[0],
           residual < 0.5 ? "small" : "large");
    printf("&&&& jacobi %s\n", residual < 0.5 ? "PASSED" : "FAILED");
    delete[] A;
    checkCudaErrors(cudaFree(d_A));
    checkCudaErrors(cudaFree(d_x));
    checkCudaErrors(cudaFree(d_new));
    checkCudaErrors(cudaFree(d_change));
    return residual < 0.5 ? EXIT_SUCCESS : EXIT_FAILURE;
}
