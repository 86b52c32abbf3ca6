// Dot product: grid-stride loop, shared-memory tree, and the partial sums added up on the CPU.
#include "book.h"

#define imin(a, b) (a < b ? a : b)
#define sum_squares(x) (x * (x + 1) * (2 * x + 1) / 6)

const int N = 10 * 1024;
const int threadsPerBlock = 128;
const int blocksPerGrid = imin(16, (N + threadsPerBlock - 1) / threadsPerBlock);

__global__ void dot(double *a, double *b, double *c) {
    __shared__ double cache[threadsPerBlock];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;

    double temp = 0;
    while (tid < N) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();

    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i) cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0) c[blockIdx.x] = cache[0];
}

int main(void) {
    double *a, *b, c, *partial_c;
    double *dev_a, *dev_b, *dev_partial_c;

    HANDLE_ERROR(cudaHostAlloc((void **)&a, N * sizeof(double), cudaHostAllocDefault));
    HANDLE_ERROR(cudaMallocHost((void **)&b, N * sizeof(double)));
    partial_c = (double *)malloc(blocksPerGrid * sizeof(double));
    HANDLE_NULL(partial_c);
    HANDLE_ERROR(cudaMalloc((void **)&dev_a, N * sizeof(double)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_b, N * sizeof(double)));
    HANDLE_ERROR(cudaMalloc((void **)&dev_partial_c, blocksPerGrid * sizeof(double)));

    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = i * 2;
    }
    HANDLE_ERROR(cudaMemcpy(dev_a, a, N * sizeof(double), cudaMemcpyHostToDevice));
    HANDLE_ERROR(cudaMemcpy(dev_b, b, N * sizeof(double), cudaMemcpyHostToDevice));

    dot<<<blocksPerGrid, threadsPerBlock>>>(dev_a, dev_b, dev_partial_c);

    HANDLE_ERROR(cudaMemcpy(partial_c, dev_partial_c, blocksPerGrid * sizeof(double), cudaMemcpyDeviceToHost));
    c = 0;
    for (int i = 0; i < blocksPerGrid; i++) c += partial_c[i];

    printf("Does GPU value %.6g = %.6g?\n", c, 2 * sum_squares((double)(N - 1)));
    int status = c == 2 * sum_squares((double)(N - 1)) ? 0 : 1;
    printf(status ? "no\n" : "yes\n");

    HANDLE_ERROR(cudaFree(dev_a));
    HANDLE_ERROR(cudaFree(dev_b));
    HANDLE_ERROR(cudaFree(dev_partial_c));
    HANDLE_ERROR(cudaFreeHost(a));
    HANDLE_ERROR(cudaFreeHost(b));
    free(partial_c);
    return status;
}
