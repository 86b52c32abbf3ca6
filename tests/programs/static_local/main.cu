// Counters that live in functions: a seed that advances with every call, and a launch that grows each time.
#include <cstdio>

__global__ void fill(unsigned* out, unsigned seed) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned v = seed + i;
    v ^= v << 13;
    v ^= v >> 17;
    v ^= v << 5;
    out[i] = v;
}

static unsigned next_seed() {
    static unsigned seed = 2463534242u;
    seed = seed * 1664525u + 1013904223u;
    return seed;
}

static unsigned sum_of(unsigned* d_out) {
    static int calls = 0;
    static unsigned host[8 * 32];
    const int blocks = 1 << calls++;
    const unsigned seed = next_seed();
    fill<<<blocks, 32>>>(d_out, seed);
    cudaMemcpy(host, d_out, blocks * 32 * sizeof(unsigned), cudaMemcpyDeviceToHost);
    unsigned sum = 0, expected = 0;
    for (int i = 0; i < blocks * 32; i++) {
        unsigned v = seed + i;
        v ^= v << 13;
        v ^= v >> 17;
        v ^= v << 5;
        expected += v;
        sum += host[i];
    }
    printf("call %d: %3d values, sum %u%s\n", calls, blocks * 32, sum, sum == expected ? "" : " WRONG");
    return sum;
}

int main() {
    unsigned* d_out;
    cudaMalloc(&d_out, 8 * 32 * sizeof(unsigned));
    unsigned all = 0;
    for (int i = 0; i < 4; i++) all ^= sum_of(d_out);
    printf("all: %08x\n", all);
    cudaFree(d_out);
    return 0;
}
