// Sorts more keys than one block holds: CUB's onesweep passes, which call the PTX of its own headers.
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                        \
    do {                                                                                   \
        const cudaError_t status = (call);                                                 \
        if (status != cudaSuccess) {                                                       \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
            std::exit(1);                                                                  \
        }                                                                                  \
    } while (0)

int main(int argc, char** argv) {
    const int n = argc > 1 ? std::atoi(argv[1]) : 1000;
    std::vector<unsigned> keys(n);
    unsigned state = 1;
    for (unsigned& key : keys) key = state = state * 1664525u + 1013904223u;

    unsigned *in = nullptr, *out = nullptr;
    CHECK(cudaMalloc(&in, n * sizeof(unsigned)));
    CHECK(cudaMalloc(&out, n * sizeof(unsigned)));
    CHECK(cudaMemcpy(in, keys.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice));

    void* storage = nullptr;
    size_t bytes = 0;
    CHECK(cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n));
    CHECK(cudaMalloc(&storage, bytes));
    CHECK(cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n));

    std::vector<unsigned> sorted(n);
    CHECK(cudaMemcpy(sorted.data(), out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
    std::sort(keys.begin(), keys.end());
    std::printf("%d keys, smallest %u, sorted %d\n", n, sorted[0], int(sorted == keys));
    CHECK(cudaFree(storage));
    CHECK(cudaFree(out));
    CHECK(cudaFree(in));
    return sorted == keys ? 0 : 1;
}
