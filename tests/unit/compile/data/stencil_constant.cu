#include <stdio.h>
#include <math.h>
#include <sys/time.h>

#define RADIUS 3
#define BLOCK_SIZE 64
#define NUM_ELEMENTS (BLOCK_SIZE * 8)

__constant__ float weights[2 * RADIUS + 1];

static double now(void)
{
    struct timeval tv;
    gettimeofday(&tv, NULL);
    return tv.tv_sec + 1e-6 * tv.tv_usec;
}

__global__ void stencil_1d(float *in, float *out)
{
    __shared__ float temp[BLOCK_SIZE + 2 * RADIUS];
    int gindex = threadIdx.x + blockIdx.x * blockDim.x + RADIUS;
    int lindex = threadIdx.x + RADIUS;
    temp[lindex] = in[gindex];
    if (threadIdx.x < RADIUS) {
        temp[lindex - RADIUS] = in[gindex - RADIUS];
        temp[lindex + BLOCK_SIZE] = in[gindex + BLOCK_SIZE];
    }
    __syncthreads();
    float result = 0;
    for (int offset = -RADIUS; offset <= RADIUS; offset++)
        result += weights[offset + RADIUS] * temp[lindex + offset] / (float)M_PI;
    out[gindex - RADIUS] = fminf(result, FLT_MAX);
}

int main()
{
    float h_weights[2 * RADIUS + 1] = {1, 1, 1, 1, 1, 1, 1};
    cudaMemcpyToSymbol(weights, h_weights, sizeof(h_weights));
    float *d_in, *d_out;
    cudaMalloc(&d_in, (NUM_ELEMENTS + 2 * RADIUS) * sizeof(float));
    cudaMalloc(&d_out, NUM_ELEMENTS * sizeof(float));
    double t = now();
    stencil_1d<<<NUM_ELEMENTS / BLOCK_SIZE, BLOCK_SIZE>>>(d_in, d_out);
    cudaDeviceSynchronize();
    printf("%f\n", now() - t);
    return 0;
}
