// The result is copied back with the direction of the first copy, pasted; the second attempt is right.
#include <cstdio>
#include <cstdlib>

__global__ void triple(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= 3;
}

int main() {
    const int n = 200;
    int* h = new int[n];
    int* result = new int[n];
    int* d;
    for (int i = 0; i < n; i++) h[i] = i, result[i] = 0;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    triple<<<(n + 63) / 64, 64>>>(d, n);
    cudaDeviceSynchronize();

    cudaMemcpy(result, d, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaGetLastError();
    cudaMemcpy(result, d, n * sizeof(int), cudaMemcpyDeviceToHost);

    int wrong = 0;
    for (int i = 0; i < n; i++) wrong += result[i] != 3 * i;
    printf("%d wrong\n", wrong);
    cudaFree(d);
    delete[] h;
    delete[] result;
    return wrong;
}
