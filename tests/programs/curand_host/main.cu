// Pi with cuRAND's host API: the library fills device memory, a kernel counts.
#include <cuda_runtime.h>
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_CALL(x)                                              \
    do {                                                          \
        if ((x) != cudaSuccess) {                                 \
            printf("CUDA error at %s:%d\n", __FILE__, __LINE__);  \
            return EXIT_FAILURE;                                  \
        }                                                         \
    } while (0)
#define CURAND_CALL(x)                                             \
    do {                                                           \
        if ((x) != CURAND_STATUS_SUCCESS) {                        \
            printf("cuRAND error at %s:%d\n", __FILE__, __LINE__); \
            return EXIT_FAILURE;                                   \
        }                                                          \
    } while (0)

__global__ void countInside(const float *points, unsigned n, unsigned *inside)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = points[2 * i], y = points[2 * i + 1];
    if (x * x + y * y <= 1.0f) atomicAdd(inside, 1u);
}

int main()
{
    const unsigned n = 4096;
    float *points;
    unsigned *inside, result = 0;
    curandGenerator_t generator;
    CUDA_CALL(cudaMalloc(&points, 2 * n * sizeof(float)));
    CUDA_CALL(cudaMalloc(&inside, sizeof(unsigned)));
    CUDA_CALL(cudaMemset(inside, 0, sizeof(unsigned)));
    CURAND_CALL(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
    CURAND_CALL(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
    CURAND_CALL(curandGenerateUniform(generator, points, 2 * n));
    countInside<<<(n + 255) / 256, 256>>>(points, n, inside);
    CUDA_CALL(cudaMemcpy(&result, inside, sizeof result, cudaMemcpyDeviceToHost));
    std::vector<float> first(10);
    CUDA_CALL(cudaMemcpy(first.data(), points, first.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (float value : first) printf("%1.4f ", value);
    printf("\n%s\n", fabs(4.0 * result / n - 3.14159265) < 0.06 ? "pi is plausible" : "pi is wrong");

    CURAND_CALL(curandGenerateNormal(generator, points, 2 * n, 5.0f, 2.0f));
    std::vector<float> normal(2 * n);
    CUDA_CALL(cudaMemcpy(normal.data(), points, normal.size() * sizeof(float), cudaMemcpyDeviceToHost));
    double sum = 0, squares = 0;
    for (float value : normal) sum += value, squares += value * value;
    const double mean = sum / normal.size(), deviation = sqrt(squares / normal.size() - mean * mean);
    printf("mean %.1f, deviation %.1f\n", mean, deviation);
    CURAND_CALL(curandDestroyGenerator(generator));
    CUDA_CALL(cudaFree(points));
    CUDA_CALL(cudaFree(inside));
    return EXIT_SUCCESS;
}
