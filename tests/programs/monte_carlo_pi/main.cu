// Estimates pi by darts. Every thread has its own linear congruential generator, jumped ahead to its own place.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>

class Lcg {
  public:
    __host__ __device__ explicit Lcg(uint64_t seed) : state_(seed) {}
    __host__ __device__ void skip(uint64_t steps) {
        uint64_t multiplier = kMultiplier, increment = kIncrement, all_m = 1, all_i = 0;
        for (; steps; steps >>= 1) {
            if (steps & 1) {
                all_m *= multiplier;
                all_i = all_i * multiplier + increment;
            }
            increment *= multiplier + 1;
            multiplier *= multiplier;
        }
        state_ = state_ * all_m + all_i;
    }
    __host__ __device__ float uniform() {
        state_ = state_ * kMultiplier + kIncrement;
        return (state_ >> 40) * (1.0f / 16777216.0f);
    }

  private:
    static constexpr uint64_t kMultiplier = 6364136223846793005ull, kIncrement = 1442695040888963407ull;
    uint64_t state_;
};

__global__ void throw_darts(uint64_t seed, int darts, unsigned long long* hits) {
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    Lcg random(seed);
    random.skip(2ull * darts * thread);
    int inside = 0;
    for (int i = 0; i < darts; ++i) {
        const float x = random.uniform(), y = random.uniform();
        inside += __fmul_rn(x, x) + __fmul_rn(y, y) <= 1.0f;
    }
    for (int offset = 16; offset > 0; offset >>= 1) inside += __shfl_xor_sync(0xffffffffu, inside, offset);
    if (threadIdx.x % 32 == 0) atomicAdd(hits, static_cast<unsigned long long>(inside));
}

struct DeviceDelete {
    void operator()(void* p) const { cudaFree(p); }
};
template <typename T>
using device_ptr = std::unique_ptr<T, DeviceDelete>;
template <typename T>
device_ptr<T> make_device() {
    T* p = nullptr;
    if (cudaMalloc(&p, sizeof(T)) != cudaSuccess) std::abort();
    cudaMemset(p, 0, sizeof(T));
    return device_ptr<T>(p);
}

int main(int argc, char** argv) {
    const int darts = argc > 1 ? atoi(argv[1]) : 40, blocks = 16, threads = 128;
    auto hits = make_device<unsigned long long>();
    throw_darts<<<blocks, threads>>>(20240229, darts, hits.get());
    unsigned long long inside = 0;
    cudaMemcpy(&inside, hits.get(), sizeof(inside), cudaMemcpyDeviceToHost);

    Lcg random(20240229);
    const long all = long(darts) * blocks * threads;
    unsigned long long expected = 0;
    for (long i = 0; i < all; ++i) {
        const volatile float x = random.uniform(), y = random.uniform();
        const volatile float xx = x * x, yy = y * y;
        expected += xx + yy <= 1.0f;
    }
    const double pi = 4.0 * inside / all;
    printf("%llu of %ld darts, pi is about %.4f\n", inside, all, pi);
    printf("%s\n", inside == expected && std::fabs(pi - 3.14159265) < 0.02 ? "PASSED" : "FAILED");
    return inside == expected ? 0 : 1;
}
