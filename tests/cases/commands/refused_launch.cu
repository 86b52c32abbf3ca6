// Its only launch requests more threads than a block can have.
#include <cstdio>

__global__ void fill(int* out) { out[threadIdx.x] = 1; }

int main() {
    int* device;
    cudaMalloc(&device, 8192);
    fill<<<1, 2048>>>(device);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    cudaFree(device);
    cudaFree(device);
}
