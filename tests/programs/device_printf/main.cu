// printf in a kernel: one thread a launch prints, so that the order is known; the host prints between the launches.
#include <stdio.h>
#include <stdlib.h>

struct Rational {
    long long p, q;
};

__host__ __device__ long long gcd(long long a, long long b) { return b == 0 ? a : gcd(b, a % b); }

__device__ Rational add(Rational a, Rational b)
{
    Rational r = {a.p * b.q + b.p * a.q, a.q * b.q};
    long long g = gcd(r.p < 0 ? -r.p : r.p, r.q);
    r.p /= g;
    r.q /= g;
    return r;
}

__global__ void harmonic(int terms, Rational *out)
{
    Rational sum = {0, 1};
    for (int i = 1; i <= terms; i++) {
        Rational term = {1, i};
        sum = add(sum, term);
    }
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 3)
        printf("block %d, thread %2d: H(%d) = %lld/%lld, about %.3f%s\n", blockIdx.x, threadIdx.x, terms, sum.p, sum.q,
               (double)sum.p / sum.q, terms > 8 ? " (many)" : "");
    if (blockIdx.x == 0 && threadIdx.x == 0) *out = sum;
}

int main(void)
{
    Rational *d_out, h;
    cudaMalloc((void **)&d_out, sizeof(Rational));
    int wrong = 0;
    for (int terms = 4; terms <= 16; terms += 6) {
        printf("launch for %d terms\n", terms);
        fflush(stdout);
        harmonic<<<2, 8>>>(terms, d_out);
        cudaDeviceSynchronize();
        cudaMemcpy(&h, d_out, sizeof(h), cudaMemcpyDeviceToHost);
        double sum = 0;
        for (int i = 1; i <= terms; i++) sum += 1.0 / i;
        const double difference = (double)h.p / h.q - sum;
        wrong += !(difference < 1e-12 && difference > -1e-12) || gcd(h.p, h.q) != 1;
    }
    cudaFree(d_out);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong;
}
