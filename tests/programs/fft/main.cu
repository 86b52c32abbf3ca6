// Radix-2 FFT of a batch in shared memory, forward and back, compared with a plain DFT on the CPU.
#include <cmath>
#include <complex>
#include <cstdio>
#include <vector>

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

template <int N>
struct Log2 {
    enum { value = 1 + Log2<N / 2>::value };
};
template <>
struct Log2<1> {
    enum { value = 0 };
};

__device__ inline float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ inline float2 operator-(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ inline float2 operator*(float2 a, float2 b) {
    return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

template <int N, int Sign>
__global__ void fft(const float2* in, float2* out, const float2* twiddles) {
    __shared__ float2 v[N];
    const int t = threadIdx.x, base = blockIdx.x * N;
    v[__brev(t) >> (32 - Log2<N>::value)] = in[base + t];
    v[__brev(t + N / 2) >> (32 - Log2<N>::value)] = in[base + t + N / 2];
    __syncthreads();
    for (int half = 1; half < N; half *= 2) {
        const int within = t % half, first = (t / half) * 2 * half + within;
        float2 w = twiddles[within * (N / 2 / half)];
        w.y *= Sign;
        const float2 a = v[first], b = v[first + half] * w;
        __syncthreads();
        v[first] = a + b;
        v[first + half] = a - b;
        __syncthreads();
    }
    const float scale = Sign > 0 ? 1.0f / N : 1.0f;
    out[base + t] = make_float2(v[t].x * scale, v[t].y * scale);
    out[base + t + N / 2] = make_float2(v[t + N / 2].x * scale, v[t + N / 2].y * scale);
}

int main() {
    constexpr int N = 128, batch = 3;
    std::vector<float2> signal(N * batch), spectrum(N * batch), back(N * batch), twiddles(N / 2);
    for (int k = 0; k < N / 2; ++k) {
        twiddles[k].x = float(std::cos(2 * M_PI * k / N));
        twiddles[k].y = float(std::sin(2 * M_PI * k / N));
    }
    for (int b = 0; b < batch; ++b)
        for (int i = 0; i < N; ++i) {
            signal[b * N + i].x = float(std::cos(2 * M_PI * (5 + b) * i / N) + 0.5 * std::sin(2 * M_PI * 20 * i / N));
            signal[b * N + i].y = b == 2 ? 0.25f : 0.0f;
        }
    float2 *d_in, *d_out, *d_twiddles;
    cudaMalloc(&d_in, N * batch * sizeof(float2));
    cudaMalloc(&d_out, N * batch * sizeof(float2));
    cudaMalloc(&d_twiddles, N / 2 * sizeof(float2));
    cudaMemcpy(d_in, signal.data(), N * batch * sizeof(float2), cudaMemcpyHostToDevice);
    cudaMemcpy(d_twiddles, twiddles.data(), N / 2 * sizeof(float2), cudaMemcpyHostToDevice);
    fft<N, -1><<<batch, N / 2>>>(d_in, d_out, d_twiddles);
    cudaMemcpy(spectrum.data(), d_out, N * batch * sizeof(float2), cudaMemcpyDeviceToHost);
    fft<N, 1><<<batch, N / 2>>>(d_out, d_in, d_twiddles);
    cudaMemcpy(back.data(), d_in, N * batch * sizeof(float2), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_twiddles);

    double worst = 0, round_trip = 0;
    for (int b = 0; b < batch; ++b) {
        printf("batch %d:", b);
        for (int k = 0; k < N; ++k) {
            std::complex<double> sum = 0;
            for (int i = 0; i < N; ++i)
                sum += std::complex<double>(signal[b * N + i].x, signal[b * N + i].y) *
                       std::polar(1.0, -2 * M_PI * k * i / N);
            const std::complex<double> got(spectrum[b * N + k].x, spectrum[b * N + k].y);
            worst = std::max(worst, std::abs(sum - got));
            round_trip = std::max(round_trip, double(std::fabs(back[b * N + k].x - signal[b * N + k].x)));
            if (std::abs(got) > 1) printf(" %d (%.1f)", k, std::abs(got));
        }
        printf("\n");
    }
    const bool good = worst < 1e-3 && round_trip < 1e-5;
    printf("%s\n", good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}
