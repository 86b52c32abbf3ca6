#include <cstdio>
#include <options_step.h>

__global__ void add(int* data) {
    for (int round = 0; round < ROUNDS; ++round) data[threadIdx.x] += step;
}

int main() {
    int* data;
    cudaMalloc(&data, 4 * sizeof(int));
    cudaMemset(data, 0, 4 * sizeof(int));
    add<<<1, 4>>>(data);
    int first;
    cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost);
    std::printf("%d\n", first);
    cudaFree(data);
}
