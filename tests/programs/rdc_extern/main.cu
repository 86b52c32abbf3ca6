// Device code in three files, linked by symbol: functions, a variable and a constant declared extern.
#include <cstdio>
#include <vector>

#include "noise.cuh"

__device__ int calls;

__global__ void terrain(float* height, int width, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    float weight = 1;
    for (int octave = 0; octave < octaves; ++octave) {
        sum += weight * noise(i % width << octave, i / width << octave);
        weight *= 0.5f;
    }
    height[i] = clamp_height(sum);
}

int main() {
    const int width = 40, n = width * 12;
    set_octaves(3);
    float* d_height;
    cudaMalloc(&d_height, n * sizeof(float));
    terrain<<<(n + 95) / 96, 96>>>(d_height, width, n);
    std::vector<float> height(n);
    cudaMemcpy(height.data(), d_height, n * sizeof(float), cudaMemcpyDeviceToHost);
    int counted = 0;
    cudaMemcpyFromSymbol(&counted, calls, sizeof(int));
    cudaFree(d_height);

    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        float expected = 0, weight = 1;
        for (int octave = 0; octave < 3; ++octave, weight *= 0.5f)
            expected += weight * noise_on_host(i % width << octave, i / width << octave);
        wrong += height[i] != (expected > 1 ? 1 : expected);
    }
    for (int y = 0; y < 12; y += 3) {
        for (int x = 0; x < width; ++x) putchar(".:-=+*%#"[int(height[y * width + x] * 7.99f)]);
        putchar('\n');
    }
    printf("%d calls, %d wrong\n", counted, wrong);
    return wrong != 0 || counted != 3 * n;
}
