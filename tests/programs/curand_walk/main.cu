// Random walks on a line with XORWOW states: the end points and the steps are integers, so they can be compared.
#include <curand_kernel.h>

#include <cstdio>
#include <vector>

struct Walk {
    int position, highest, lowest;
};

__global__ void walk(unsigned long long seed, int steps, Walk* walks, int* histogram) {
    const int id = blockIdx.x * blockDim.x + threadIdx.x;
    curandState state;
    curand_init(seed + id, 0, 0, &state);
    Walk w = {0, 0, 0};
    for (int i = 0; i < steps; i += 32) {
        unsigned bits = curand(&state);
        for (int k = 0; k < 32 && i + k < steps; ++k, bits >>= 1) {
            w.position += bits & 1 ? 1 : -1;
            w.highest = max(w.highest, w.position);
            w.lowest = min(w.lowest, w.position);
        }
    }
    walks[id] = w;
    atomicAdd(&histogram[min(max((w.position + 40) / 8, 0), 9)], 1);
}

int main() {
    const int threads = 128, blocks = 2, n = threads * blocks, steps = 256;
    Walk* d_walks;
    int* d_histogram;
    cudaMalloc(&d_walks, n * sizeof(Walk));
    cudaMalloc(&d_histogram, 10 * sizeof(int));
    cudaMemset(d_histogram, 0, 10 * sizeof(int));
    walk<<<blocks, threads>>>(2024, steps, d_walks, d_histogram);
    std::vector<Walk> walks(n);
    std::vector<int> histogram(10);
    cudaMemcpy(walks.data(), d_walks, n * sizeof(Walk), cudaMemcpyDeviceToHost);
    cudaMemcpy(histogram.data(), d_histogram, 10 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_walks);
    cudaFree(d_histogram);

    int impossible = 0, counted = 0, highest = 0;
    long square = 0;
    for (const Walk& w : walks) {
        impossible += w.position % 2 != 0 || w.highest < w.position || w.lowest > w.position || w.highest > steps;
        square += long(w.position) * w.position;
        highest = w.highest > highest ? w.highest : highest;
    }
    for (int i = 0; i < 10; ++i) {
        printf("%3d to %3d: %d\n", i * 8 - 40, i * 8 - 33, histogram[i]);
        counted += histogram[i];
    }
    const long mean = square / n;
    printf("mean square %ld, highest %d, %d counted, %d impossible\n", mean, highest, counted, impossible);
    return impossible || counted != n || mean < steps / 2 || mean > steps * 2;
}
