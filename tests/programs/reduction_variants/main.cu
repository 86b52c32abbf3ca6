// Five block reductions behind one table, each for the block size that a switch chooses at compile time.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

#include "reduction.cuh"

int main() {
    const int n = 1 << 13;
    const std::vector<int> host = [n] {
        std::vector<int> v(n);
        unsigned state = 12345;
        std::generate(v.begin(), v.end(), [&state] {
            state = state * 1103515245u + 12345u;
            return static_cast<int>(state >> 16) % 100;
        });
        return v;
    }();
    const int expected = std::accumulate(host.begin(), host.end(), 0);

    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);

    int failed = 0;
    for (int threads : {64, 256}) {
        for (int which = 0; which < number_of_reductions; ++which) {
            const int blocks = which < 2 ? n / threads : n / threads / 2;
            launch_reduction<int>(n, threads, blocks, which, d_in, d_out);
            std::vector<int> partial(blocks);
            cudaMemcpy(partial.data(), d_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
            const int sum = std::accumulate(partial.begin(), partial.end(), 0);
            printf("reduction %d, %3d threads, %3d blocks: %d%s\n", which, threads, blocks, sum,
                   sum == expected ? "" : " FAILED");
            failed += sum != expected;
        }
    }
    cudaFree(d_in);
    cudaFree(d_out);
    printf(failed ? "%d failed\n" : "all passed\n", failed);
    return failed;
}
