#include "noise.cuh"

__constant__ int octaves = 1;

static __host__ __device__ unsigned mix(unsigned x, unsigned y) {
    unsigned h = x * 374761393u + y * 668265263u;
    h = (h ^ (h >> 13)) * 1274126177u;
    return h ^ (h >> 16);
}

__device__ float noise(int x, int y) {
    atomicAdd(&calls, 1);
    return (mix(x, y) & 255) / 256.0f;
}

float noise_on_host(int x, int y) { return (mix(x, y) & 255) / 256.0f; }

void set_octaves(int n) { cudaMemcpyToSymbol(octaves, &n, sizeof(int)); }
