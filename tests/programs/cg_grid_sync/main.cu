// Conjugate gradients in one cooperative launch: the whole grid meets between the steps of an iteration.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

#define CHECK(x)                                                                              \
    do {                                                                                      \
        cudaError_t e = (x);                                                                  \
        if (e != cudaSuccess) {                                                               \
            fprintf(stderr, "%s: %s (%s)\n", #x, cudaGetErrorString(e), cudaGetErrorName(e)); \
            return 1;                                                                         \
        }                                                                                     \
    } while (0)

// 1-D Poisson matrix: 2 on the diagonal, -1 beside it
__device__ double row_of_matrix(const double* v, int i, int n) {
    double sum = 2.0 * v[i];
    if (i > 0) sum -= v[i - 1];
    if (i + 1 < n) sum -= v[i + 1];
    return sum;
}

__device__ void add_dot(const double* a, const double* b, int n, double* result, const cg::grid_group& grid) {
    double own = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) own += a[i] * b[i];
    for (int offset = 16; offset; offset >>= 1) own += __shfl_down_sync(0xffffffff, own, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(result, own);
}

__global__ void conjugate_gradient(double* x, double* r, double* p, double* ap, int n, double* dots, int* iterations,
                                   double tolerance, int limit) {
    cg::grid_group grid = cg::this_grid();
    int k = 0;
    while (k < limit) {
        // dots: r.r now, p.Ap, r.r of the next iteration
        for (int i = grid.thread_rank(); i < n; i += grid.size()) ap[i] = row_of_matrix(p, i, n);
        grid.sync();
        add_dot(p, ap, n, &dots[1], grid);
        grid.sync();
        const double alpha = dots[0] / dots[1];
        for (int i = grid.thread_rank(); i < n; i += grid.size()) {
            x[i] += alpha * p[i];
            r[i] -= alpha * ap[i];
        }
        grid.sync();
        add_dot(r, r, n, &dots[2], grid);
        grid.sync();
        const double beta = dots[2] / dots[0];
        const bool done = dots[2] < tolerance;
        for (int i = grid.thread_rank(); i < n; i += grid.size()) p[i] = r[i] + beta * p[i];
        ++k;
        grid.sync();
        if (grid.thread_rank() == 0) {
            dots[0] = dots[2];
            dots[1] = dots[2] = 0;
            *iterations = k;
        }
        grid.sync();
        if (done) break;
    }
}

int main() {
    int supported = 0, device = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrCooperativeLaunch, device));
    if (!supported) {
        printf("no cooperative launch\n");
        return 2;
    }
    int n = 96, limit = 200, *iterations;
    double tolerance = 1e-16, *x, *r, *p, *ap, *dots;
    CHECK(cudaMallocManaged(&x, n * sizeof(double)));
    CHECK(cudaMallocManaged(&r, n * sizeof(double)));
    CHECK(cudaMallocManaged(&p, n * sizeof(double)));
    CHECK(cudaMallocManaged(&ap, n * sizeof(double)));
    CHECK(cudaMallocManaged(&dots, 3 * sizeof(double)));
    CHECK(cudaMallocManaged(&iterations, sizeof(int)));
    dots[0] = dots[1] = dots[2] = 0;
    for (int i = 0; i < n; ++i) {
        x[i] = 0;
        r[i] = p[i] = 1.0;
        dots[0] += r[i] * r[i];
    }
    void* arguments[] = {&x, &r, &p, &ap, &n, &dots, &iterations, &tolerance, &limit};
    CHECK(cudaLaunchCooperativeKernel((void*)conjugate_gradient, dim3(3), dim3(32), arguments, 0, 0));
    CHECK(cudaDeviceSynchronize());

    double largest = 0;
    for (int i = 0; i < n; ++i) largest = std::fmax(largest, std::fabs(x[i] - (i + 1.0) * (n - i) / 2));
    printf("%d unknowns, about %d iterations\n", n, (*iterations + 5) / 10 * 10);
    printf("x[0] = %.3f, middle = %.3f\n", x[0], x[n / 2]);
    printf("%s\n", largest < 1e-6 ? "PASSED" : "FAILED");
    for (void* m : {(void*)x, (void*)r, (void*)p, (void*)ap, (void*)dots, (void*)iterations}) CHECK(cudaFree(m));
    return largest < 1e-6 ? 0 : 1;
}
