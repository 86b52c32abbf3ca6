// A scan chained through flags: the first block does not raise its own, so the others wait for ever. The host gets
// an error at the next synchronization, as from a device that ends kernels which run too long, and goes on.
#include <cstdio>

constexpr int blocks = 40, threads = 64;

__global__ void chained(const int* in, int* out, volatile int* flag) {
    __shared__ int before;
    const int i = blockIdx.x * threads + threadIdx.x;
    if (threadIdx.x == 0) {
        before = 0;
        if (blockIdx.x > 0) {
            while (flag[blockIdx.x - 1] == 0) {
            }
            before = out[i - 1];
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = before;
        for (int k = 0; k < threads; ++k) {
            sum += in[i + k];
            out[i + k] = sum;
        }
        __threadfence();
        if (blockIdx.x > 0) flag[blockIdx.x] = 1;
    }
}

int main() {
    int host[blocks * threads];
    for (int& value : host) value = 1;
    int *in, *out, *flag;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&flag, blocks * sizeof(int));
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(flag, 0, blocks * sizeof(int));
    chained<<<blocks, threads>>>(in, out, flag);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorName(error));
    return error == cudaSuccess ? 1 : 0;
}
