// 中文注释：归约练习。
#include <cstdio>
#include <climits>
#include <cfloat>
#include <limits>

struct Options {
    std::string file;
    bool verbose = false;
    void print() const { printf("%s\n", file.c_str()); }
} options;

union Bits { float f; unsigned u; };

__device__ int counter = 0;
__device__ volatile int flag;
__managed__ int shared_total;

__device__ int lookup[4] = {1, 2, 3, 4};

struct Max {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
    static const char* name() { return std::getenv("MAX"); }
};

template <class Op>
__device__ int fold(const int* data, int n, Op op) {
    int best = INT_MIN;
    for (int i = threadIdx.x; i < n; i += blockDim.x) best = op(best, data[i]);
    return best;
}

__global__ void maximum(int* data, int n, int* result) {
    Bits bits;
    bits.f = 1.0f;
    int best = fold(data, n, Max());
    atomicMax(result, best);
    auto twice = [](int x) { return 2 * x; };
    if (threadIdx.x == 0) {
        atomicAdd(&counter, twice(1) + lookup[n & 3]);
        shared_total = bits.u;
        printf("block %d: %d\n", blockIdx.x, best);
    }
    assert(n > 0);
}

int main() {
    auto run = [&](int n) { maximum<<<1, 64>>>(nullptr, n, nullptr); };
    run(256);
    try { options.print(); } catch (...) { return 1; }
    return 0;
}
