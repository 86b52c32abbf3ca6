// Odd-even transposition sort: two launches a phase, until a phase swaps nothing.
#include <stdio.h>

#define N 96

__global__ void phase(int *a, int n, int odd, int *swapped)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + odd;
    if (i + 1 < n && a[i] > a[i + 1]) {
        int t = a[i];
        a[i] = a[i + 1];
        a[i + 1] = t;
        *swapped = 1;
    }
}

int main(void)
{
    int a[N], *d_a, *d_swapped, swapped, rounds = 0;
    for (int i = 0; i < N; i++) a[i] = (i * 37 + 11) % 97;

    cudaMalloc((void **)&d_a, sizeof(a));
    cudaMalloc((void **)&d_swapped, sizeof(int));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    do {
        cudaMemset(d_swapped, 0, sizeof(int));
        phase<<<3, 16>>>(d_a, N, 0, d_swapped);
        phase<<<3, 16>>>(d_a, N, 1, d_swapped);
        cudaMemcpy(&swapped, d_swapped, sizeof(int), cudaMemcpyDeviceToHost);
        rounds++;
    } while (swapped);
    cudaMemcpy(a, d_a, sizeof(a), cudaMemcpyDeviceToHost);
    cudaFree(d_a);
    cudaFree(d_swapped);

    int errors = 0;
    for (int i = 0; i + 1 < N; i++)
        if (a[i] > a[i + 1]) errors++;
    for (int i = 0; i < N; i++) printf("%d%c", a[i], i % 24 == 23 ? '\n' : ' ');
    printf("%s after %d rounds\n", errors ? "not sorted" : "sorted", rounds);
    return errors;
}
