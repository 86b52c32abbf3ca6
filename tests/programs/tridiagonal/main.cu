// Tridiagonal systems, one a block, by parallel cyclic reduction in shared memory; the CPU uses Thomas' algorithm.
#include <cmath>
#include <cstdio>
#include <vector>

template <typename T>
struct Systems {
    T *a, *b, *c, *d, *x;  // lower, main, upper diagonal, right side, solution
};

template <typename T, int N>
__global__ void solve_pcr(Systems<T> s) {
    __shared__ T a[N], b[N], c[N], d[N];
    const int i = threadIdx.x, g = blockIdx.x * N + i;
    a[i] = s.a[g], b[i] = s.b[g], c[i] = s.c[g], d[i] = s.d[g];
    __syncthreads();
    for (int stride = 1; stride < N; stride *= 2) {
        T na = 0, nb = b[i], nc = 0, nd = d[i];
        if (i >= stride) {
            const T k = a[i] / b[i - stride];
            na = -a[i - stride] * k;
            nb -= c[i - stride] * k;
            nd -= d[i - stride] * k;
        }
        if (i + stride < N) {
            const T k = c[i] / b[i + stride];
            nc = -c[i + stride] * k;
            nb -= a[i + stride] * k;
            nd -= d[i + stride] * k;
        }
        __syncthreads();
        a[i] = na, b[i] = nb, c[i] = nc, d[i] = nd;
        __syncthreads();
    }
    s.x[g] = d[i] / b[i];
}

template <typename T>
std::vector<T> thomas(const T* a, const T* b, const T* c, const T* d, int n) {
    std::vector<T> cc(n), x(n);
    cc[0] = c[0] / b[0];
    x[0] = d[0] / b[0];
    for (int i = 1; i < n; ++i) {
        const T m = b[i] - a[i] * cc[i - 1];
        cc[i] = c[i] / m;
        x[i] = (d[i] - a[i] * x[i - 1]) / m;
    }
    for (int i = n - 2; i >= 0; --i) x[i] -= cc[i] * x[i + 1];
    return x;
}

template <typename T>
int run(const char* name, T tolerance) {
    constexpr int N = 128, count = 6;
    std::vector<T> host[4];
    for (auto& v : host) v.resize(N * count);
    for (int k = 0; k < count; ++k)
        for (int i = 0; i < N; ++i) {
            host[0][k * N + i] = i == 0 ? T(0) : T(-1);
            host[1][k * N + i] = T(4 + k);
            host[2][k * N + i] = i == N - 1 ? T(0) : T(-1);
            host[3][k * N + i] = T((i * (k + 3)) % 7);
        }
    T* memory;
    const size_t bytes = N * count * sizeof(T);
    cudaMalloc(&memory, 5 * bytes);
    Systems<T> systems;
    T** parts[] = {&systems.a, &systems.b, &systems.c, &systems.d, &systems.x};
    for (int p = 0; p < 5; ++p) *parts[p] = memory + p * N * count;
    for (int p = 0; p < 4; ++p) cudaMemcpy(*parts[p], host[p].data(), bytes, cudaMemcpyHostToDevice);
    solve_pcr<T, N><<<count, N>>>(systems);
    std::vector<T> x(N * count);
    cudaMemcpy(x.data(), systems.x, bytes, cudaMemcpyDeviceToHost);
    cudaFree(memory);

    int wrong = 0;
    for (int k = 0; k < count; ++k) {
        const int at = k * N;
        const auto expected = thomas(&host[0][at], &host[1][at], &host[2][at], &host[3][at], N);
        for (int i = 0; i < N; ++i) wrong += !(std::abs(x[at + i] - expected[i]) < tolerance);
    }
    printf("%s: x[0] = %.4f, x[64] = %.4f, %d wrong\n", name, double(x[0]), double(x[64]), wrong);
    return wrong;
}

int main() { return run<float>("float", 1e-4f) + run<double>("double", 1e-10) != 0; }
