// A cooperative launch of too many blocks, and one of as many as fit.
#include <cooperative_groups.h>
#include <cstdio>

__device__ int met;

__global__ void meet(int* out) {
    if (threadIdx.x == 0) atomicAdd(&met, 1);
    cooperative_groups::this_grid().sync();
    if (threadIdx.x == 0) out[blockIdx.x] = met;
}

int main() {
    int* out;
    cudaMalloc(&out, 64 * sizeof(int));
    void* arguments[] = {&out};
    cudaDeviceProp device;
    cudaGetDeviceProperties(&device, 0);
    int each = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, meet, 64, 0);
    const int fit = each * device.multiProcessorCount;
    printf("%d multiprocessors, %d blocks on each\n", device.multiProcessorCount, each);
    for (const int blocks : {fit + 1, fit}) {
        const cudaError_t error = cudaLaunchCooperativeKernel((void*)meet, dim3(blocks), dim3(64), arguments, 0, 0);
        printf("%d blocks: %s\n", blocks, cudaGetErrorName(error));
    }
    cudaDeviceSynchronize();
    cudaGetLastError();
    cudaFree(out);
}
