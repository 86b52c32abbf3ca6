// Warp votes, ballots and shuffles, in cases that a macro lists and a table of lambdas checks.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#define FULL 0xffffffffu

// name, expression of the lane's value v
#define CASES(X)                                                  \
    X(any, __any_sync(FULL, v > 90) ? 1 : 0)                      \
    X(all, __all_sync(FULL, v >= 0) ? 1 : 0)                      \
    X(ballot, __ballot_sync(FULL, v & 1))                         \
    X(leader, __ffs(__ballot_sync(FULL, v % 3 == 0)) - 1)         \
    X(rank, __popc(__ballot_sync(FULL, v & 1) & ((1u << lane) - 1))) \
    X(left, __shfl_up_sync(FULL, v, 1))                           \
    X(right, __shfl_down_sync(FULL, v, 2, 8))                     \
    X(swapped, __shfl_xor_sync(FULL, v, 3))                       \
    X(from_seven, __shfl_sync(FULL, v, 7, 16))

#define KERNEL(name, expression)                                       \
    __global__ void test_##name(const int* in, int* out) {             \
        const int lane = threadIdx.x % 32, i = blockIdx.x * blockDim.x + threadIdx.x; \
        const int v = in[i];                                           \
        (void)lane;                                                    \
        out[i] = (int)(expression);                                    \
    }
CASES(KERNEL)
#undef KERNEL

using Oracle = std::function<int(const int* warp, int lane)>;
struct Test {
    const char* name;
    void (*kernel)(const int*, int*);
    Oracle oracle;
};

static unsigned odd_mask(const int* warp) {
    unsigned mask = 0;
    for (int l = 0; l < 32; ++l) mask |= (warp[l] & 1u) << l;
    return mask;
}

int main() {
    const int n = 128;
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = (i * 29 + 3) % 97;
    const std::vector<Test> tests = {
        {"any", test_any, [](const int* w, int) { return int(std::any_of(w, w + 32, [](int v) { return v > 90; })); }},
        {"all", test_all, [](const int*, int) { return 1; }},
        {"ballot", test_ballot, [](const int* w, int) { return int(odd_mask(w)); }},
        {"leader", test_leader,
         [](const int* w, int) { return int(std::find_if(w, w + 32, [](int v) { return v % 3 == 0; }) - w); }},
        {"rank", test_rank,
         [](const int* w, int lane) { return int(std::count_if(w, w + lane, [](int v) { return v & 1; })); }},
        {"left", test_left, [](const int* w, int lane) { return w[lane ? lane - 1 : 0]; }},
        {"right", test_right, [](const int* w, int lane) { return w[lane % 8 + 2 < 8 ? lane + 2 : lane]; }},
        {"swapped", test_swapped, [](const int* w, int lane) { return w[lane ^ 3]; }},
        {"from_seven", test_from_seven, [](const int* w, int lane) { return w[lane / 16 * 16 + 7]; }},
    };
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    int failed = 0;
    for (const Test& test : tests) {
        auto kernel = test.kernel;
        kernel<<<n / 64, 64>>>(d_in, d_out);
        cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
        int wrong = 0;
        for (int i = 0; i < n; ++i) wrong += out[i] != test.oracle(&in[i / 32 * 32], i % 32);
        std::printf("%-10s %s (%d)\n", test.name, wrong ? "FAILED" : "ok", out[40]);
        failed += wrong != 0;
    }
    cudaFree(d_in);
    cudaFree(d_out);
    return failed;
}
