// Separate compilation with classes: particles move by a member function of another file; includes from a folder.
#include "particle.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void advance_particles(Particle* particles, int count, int steps) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        for (int s = 0; s < steps; ++s) particles[i].advance(0.125f);
}

int main(int argc, char** argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    const int steps = 10;
    std::vector<Particle> particles(n);
    for (int i = 0; i < n; ++i) particles[i] = Particle(Vec3(i % 10, i % 7, 0), Vec3(1, (i % 3) - 1, 0.5f));
    std::vector<Particle> expected = particles;

    Particle* device = nullptr;
    cudaMalloc(&device, n * sizeof(Particle));
    cudaMemcpy(device, particles.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
    advance_particles<<<(n + 255) / 256, 256>>>(device, n, steps);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    cudaDeviceSynchronize();
    cudaMemcpy(particles.data(), device, n * sizeof(Particle), cudaMemcpyDeviceToHost);
    cudaFree(device);

    Vec3 total;
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        for (int s = 0; s < steps; ++s) expected[i].advance(0.125f);
        wrong += !(particles[i].position() == expected[i].position());
        total += particles[i].position();
    }
    printf("Moved %d particles %d steps. Average position (%.2f, %.2f, %.2f), %d wrong\n", n, steps, total.x / n,
           total.y / n, total.z / n, wrong);
    return wrong;
}
