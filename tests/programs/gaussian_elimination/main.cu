/* Gaussian elimination as in many benchmark suites: two kernels a column, back substitution on the host. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_1D 32
#define BLOCK_2D 8

int Size;
float *a, *b, *finalVec, *m;

void CreateMatrix(int size)
{
    Size = size;
    a = (float *)malloc(Size * Size * sizeof(float));
    b = (float *)malloc(Size * sizeof(float));
    m = (float *)calloc(Size * Size, sizeof(float));
    finalVec = (float *)malloc(Size * sizeof(float));
    for (int i = 0; i < Size; i++) {
        b[i] = 1.0f;
        for (int j = 0; j < Size; j++) a[Size * i + j] = 10.0f * expf(-0.1f * abs(i - j));
    }
}

__global__ void Fan1(float *m_cuda, float *a_cuda, int Size, int t)
{
    if (threadIdx.x + blockIdx.x * blockDim.x >= Size - 1 - t) return;
    int row = blockDim.x * blockIdx.x + threadIdx.x + t + 1;
    m_cuda[Size * row + t] = a_cuda[Size * row + t] / a_cuda[Size * t + t];
}

__global__ void Fan2(float *m_cuda, float *a_cuda, float *b_cuda, int Size, int t)
{
    int xidx = blockIdx.x * blockDim.x + threadIdx.x;
    int yidx = blockIdx.y * blockDim.y + threadIdx.y;
    if (xidx >= Size - 1 - t || yidx >= Size - t) return;
    a_cuda[Size * (xidx + 1 + t) + (yidx + t)] -= m_cuda[Size * (xidx + 1 + t) + t] * a_cuda[Size * t + (yidx + t)];
    if (yidx == 0) b_cuda[xidx + 1 + t] -= m_cuda[Size * (xidx + 1 + t) + t] * b_cuda[t];
}

void ForwardSub()
{
    float *m_cuda, *a_cuda, *b_cuda;
    cudaMalloc((void **)&m_cuda, Size * Size * sizeof(float));
    cudaMalloc((void **)&a_cuda, Size * Size * sizeof(float));
    cudaMalloc((void **)&b_cuda, Size * sizeof(float));
    cudaMemcpy(m_cuda, m, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(a_cuda, a, Size * Size * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b_cuda, b, Size * sizeof(float), cudaMemcpyHostToDevice);

    dim3 dimBlock(BLOCK_1D), dimGrid((Size + BLOCK_1D - 1) / BLOCK_1D);
    dim3 dimBlockXY(BLOCK_2D, BLOCK_2D);
    dim3 dimGridXY((Size + BLOCK_2D - 1) / BLOCK_2D, (Size + BLOCK_2D - 1) / BLOCK_2D);
    for (int t = 0; t < (Size - 1); t++) {
        Fan1<<<dimGrid, dimBlock>>>(m_cuda, a_cuda, Size, t);
        cudaDeviceSynchronize();
        Fan2<<<dimGridXY, dimBlockXY>>>(m_cuda, a_cuda, b_cuda, Size, t);
        cudaDeviceSynchronize();
        cudaError_t err = cudaGetLastError();
        if (err != cudaSuccess) {
            fprintf(stderr, "Cuda error: Fan2: %s.\n", cudaGetErrorString(err));
            exit(EXIT_FAILURE);
        }
    }
    cudaMemcpy(m, m_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(a, a_cuda, Size * Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(b, b_cuda, Size * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(m_cuda);
    cudaFree(a_cuda);
    cudaFree(b_cuda);
}

void BackSub()
{
    for (int i = 0; i < Size; i++) {
        int row = Size - i - 1;
        finalVec[row] = b[row];
        for (int j = 0; j < i; j++) finalVec[row] -= a[Size * row + (Size - j - 1)] * finalVec[Size - j - 1];
        finalVec[row] /= a[Size * row + row];
    }
}

int main(int argc, char *argv[])
{
    int size = 30;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] == '-' && argv[i][1] == 's') size = atoi(argv[++i]);
    }
    CreateMatrix(size);
    printf("matrix of %d x %d\n", Size, Size);
    ForwardSub();
    BackSub();

    double worst = 0;
    for (int i = 0; i < Size; i++) {
        double sum = 0;
        for (int j = 0; j < Size; j++) sum += 10.0 * exp(-0.1 * abs(i - j)) * finalVec[j];
        worst = fmax(worst, fabs(sum - 1.0));
    }
    printf("x[0] = %.4f, x[%d] = %.4f\n", finalVec[0], Size / 2, finalVec[Size / 2]);
    printf("%s\n", worst < 1e-3 ? "PASSED" : "FAILED");
    free(a);
    free(b);
    free(m);
    free(finalVec);
    return worst < 1e-3 ? 0 : 1;
}
