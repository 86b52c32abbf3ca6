#include <cstdio>
#include <cstdlib>

__global__ void scale(float* data, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= factor;
}

int main(int argc, char** argv)
{
    if (argc < 2) {
        printf("usage: %s FACTOR [LABEL], numbers on standard input\n", "scale");
        return 1;
    }
    float h_data[64];
    int n = 0;
    while (n < 64 && scanf("%f", &h_data[n]) == 1) ++n;

    float* d_data;
    cudaMalloc(&d_data, n * sizeof(float));
    cudaMemcpy(d_data, h_data, n * sizeof(float), cudaMemcpyHostToDevice);
    for (int i = 0; i < 2; ++i) scale<<<(n + 3) / 4, 4>>>(d_data, atof(argv[1]), n);
    cudaMemcpy(h_data, d_data, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_data);

    printf("%s:", argc > 2 ? argv[2] : "scaled");
    for (int i = 0; i < n; ++i) printf(" %g", h_data[i]);
    printf("\n");
    return n == 5 ? 0 : 3;
}
