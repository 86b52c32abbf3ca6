#include <cstdint>
#include <cstdio>
#include <memory>
#include "my_course_utils.h"
#ifdef _WIN32
#include <windows.h>
static double seconds() { LARGE_INTEGER t; QueryPerformanceCounter(&t); return (double)t.QuadPart; }
#else
#include <time.h>
static double seconds() { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + 1e-9 * t.tv_nsec; }
#endif

namespace course {
namespace detail {
constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }
constexpr int kTile = 32;
constexpr int kRows = 8;
}  // namespace detail

using detail::kTile;
using real = float;
using Clock = std::unique_ptr<int>;

__global__ void transpose(real* odata, const real* idata, int32_t width, int32_t height)
{
    __shared__ real tile[kTile][kTile + 1];  // padded against bank conflicts
    int x = blockIdx.x * kTile + threadIdx.x;
    int y = blockIdx.y * kTile + threadIdx.y;
    static_assert(detail::ceil_div(kTile, detail::kRows) == 4, "rows");
    for (int j = 0; j < kTile; j += detail::kRows)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * kTile + threadIdx.x;
    y = blockIdx.x * kTile + threadIdx.y;
    for (int j = 0; j < kTile; j += detail::kRows)
        if (x < height && y + j < width) odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

struct DeviceBuffer {
    explicit DeviceBuffer(size_t n) { cudaMalloc(&data, n * sizeof(real)); }
    ~DeviceBuffer() { cudaFree(data); }
    real* data = nullptr;
};

void run(int n)
{
    DeviceBuffer in(n * n), out(n * n);
    dim3 block(kTile, detail::kRows), grid(detail::ceil_div(n, kTile), detail::ceil_div(n, kTile));
    transpose<<<grid, block, 0, nullptr>>>(out.data, in.data, n, n);
}
}  // namespace course

int main() { course::run(64); std::printf("%f\n", seconds()); }
