// Managed memory is looked at right after the launch, before anything waited for the kernel.
#include <cstdio>

__global__ void squares(long long* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = (long long)i * i;
}

int main() {
    const int n = 320;
    long long* v;
    cudaMallocManaged(&v, n * sizeof(long long));
    for (int i = 0; i < n; i++) v[i] = -1;

    squares<<<n / 64, 64>>>(v, n);
    volatile long long early = v[n - 1];  // -1 or the result
    (void)early;

    cudaDeviceSynchronize();
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += v[i];
    printf("sum of squares %lld, expected %lld\n", sum, (n - 1LL) * n * (2 * n - 1) / 6);
    cudaFree(v);
    return 0;
}
