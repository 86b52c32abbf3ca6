// A histogram whose bins are not set to zero before the kernel counts into them, and a copy that leaves the last
// readings out. What is printed is taken from the readings that were copied.
#include <cstdio>

constexpr int readings = 96, copied = 64, bins = 8;

__global__ void count(const int* reading, int n, unsigned* histogram, int* largest) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    atomicAdd(&histogram[reading[i] % bins], 1);
    atomicMax(largest, i < 64 ? reading[i] : 0);
}

int main() {
    int host[readings];
    for (int i = 0; i < readings; ++i) host[i] = i * 7 % 50;
    int *reading, *largest;
    unsigned* histogram;
    cudaMalloc(&reading, sizeof host);
    cudaMalloc(&histogram, bins * sizeof(unsigned));
    cudaMalloc(&largest, sizeof(int));
    cudaMemcpy(reading, host, copied * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(largest, 0, sizeof(int));
    count<<<3, 32>>>(reading, readings, histogram, largest);
    int result = 0;
    cudaMemcpy(&result, largest, sizeof(int), cudaMemcpyDeviceToHost);
    printf("largest %d\n", result);
    cudaFree(reading);
    cudaFree(histogram);
    cudaFree(largest);
    return 0;
}
