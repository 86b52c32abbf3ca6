// Pi with cuRAND's device generators: states set up by one kernel and used by another.
#include <curand_kernel.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CUDA_CALL(x) do { if((x) != cudaSuccess) { \
    printf("Error at %s:%d\n",__FILE__,__LINE__); \
    return EXIT_FAILURE;}} while(0)

__global__ void setup_kernel(curandStatePhilox4_32_10_t *state)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    /* Each thread gets same seed, a different sequence number, no offset */
    curand_init(1234, id, 0, &state[id]);
}

__global__ void count_inside(curandStatePhilox4_32_10_t *state, int n, unsigned int *result)
{
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    unsigned int count = 0;
    /* Copy state to local memory for efficiency */
    curandStatePhilox4_32_10_t localState = state[id];
    for (int i = 0; i < n; i++) {
        float x = curand_uniform(&localState);
        float y = curand_uniform(&localState);
        if (x * x + y * y <= 1.0f) count++;
    }
    state[id] = localState;
    result[id] += count;
}

int main(int argc, char *argv[])
{
    const int threads = 64, blocks = 8, total = threads * blocks;
    int sampleCount = 20, rounds = 3;
    unsigned int *devResults, *hostResults = (unsigned int *)calloc(total, sizeof(int));
    curandStatePhilox4_32_10_t *devStates;
    CUDA_CALL(cudaMalloc((void **)&devResults, total * sizeof(unsigned int)));
    CUDA_CALL(cudaMemset(devResults, 0, total * sizeof(unsigned int)));
    CUDA_CALL(cudaMalloc((void **)&devStates, total * sizeof(curandStatePhilox4_32_10_t)));

    setup_kernel<<<blocks, threads>>>(devStates);
    for (int i = 0; i < rounds; i++) count_inside<<<blocks, threads>>>(devStates, sampleCount, devResults);
    CUDA_CALL(cudaMemcpy(hostResults, devResults, total * sizeof(unsigned int), cudaMemcpyDeviceToHost));

    long inside = 0;
    for (int i = 0; i < total; i++) inside += hostResults[i];
    double pi = 4.0 * inside / ((double)total * sampleCount * rounds);
    printf("%ld of %d inside\n", inside, total * sampleCount * rounds);
    printf("pi is about %.3f: %s\n", pi, fabs(pi - 3.14159265) < 0.05 ? "plausible" : "wrong");
    CUDA_CALL(cudaFree(devStates));
    CUDA_CALL(cudaFree(devResults));
    free(hostResults);
    return fabs(pi - 3.14159265) < 0.05 ? EXIT_SUCCESS : EXIT_FAILURE;
}
