// Zero copy: the kernel works on pinned host memory through its device address; the properties are asked first.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MEMORY_ALIGNMENT 4096
#define ALIGN_UP(x, size) (((size_t)x + (size - 1)) & (~(size - 1)))

__global__ void vectorAddGPU(float *a, float *b, float *c, int N)
{
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx < N) c[idx] = a[idx] + b[idx];
}

int main(int argc, char **argv)
{
    int idev = 0, count = 0;
    cudaDeviceProp deviceProp;
    cudaGetDeviceCount(&count);
    if (count < 1) {
        fprintf(stderr, "no device\n");
        return 2;
    }
    cudaSetDevice(idev);
    cudaGetDeviceProperties(&deviceProp, idev);
    if (!deviceProp.canMapHostMemory) {
        fprintf(stderr, "Device %d does not support mapping CPU host memory!\n", idev);
        return EXIT_FAILURE;
    }

    int nelem = argc > 1 ? atoi(argv[1]) : 3000;
    size_t bytes = ALIGN_UP(nelem * sizeof(float), MEMORY_ALIGNMENT);
    unsigned int flags = cudaHostAllocMapped;
    float *a, *b, *c;
    float *d_a, *d_b, *d_c;
    cudaHostAlloc((void **)&a, bytes, flags);
    cudaHostAlloc((void **)&b, bytes, flags);
    cudaHostAlloc((void **)&c, bytes, flags);
    for (int n = 0; n < nelem; n++) {
        a[n] = n * 0.25f;
        b[n] = (nelem - n) * 0.25f;
        c[n] = -1;
    }
    cudaHostGetDevicePointer((void **)&d_a, (void *)a, 0);
    cudaHostGetDevicePointer((void **)&d_b, (void *)b, 0);
    cudaHostGetDevicePointer((void **)&d_c, (void *)c, 0);

    dim3 block(256);
    dim3 grid((unsigned int)ceil(nelem / (float)block.x));
    vectorAddGPU<<<grid, block>>>(d_a, d_b, d_c, nelem);
    cudaDeviceSynchronize();

    float errorNorm = 0.f, refNorm = 0.f;
    for (int n = 0; n < nelem; n++) {
        float ref = a[n] + b[n];
        errorNorm += (c[n] - ref) * (c[n] - ref);
        refNorm += ref * ref;
    }
    printf("%d elements, c[0] = %.2f, relative error %.1f\n", nelem, c[0], sqrtf(errorNorm) / sqrtf(refNorm));
    printf(errorNorm == 0 ? "Test passed\n" : "Test FAILED\n");
    cudaFreeHost(a);
    cudaFreeHost(b);
    cudaFreeHost(c);
    return errorNorm == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
