// cub::DeviceReduce and cub::DeviceScan, timed by the rules of timer.h: a program of its own, which nvcc builds where
// `lanescope time --cub` is asked for. Writes lines of timing/stream.h.
//
//   cub_helper int|float|double SAMPLES MILLISECONDS "N N ..."
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr std::uint64_t period = std::uint64_t{1} << 20;
constexpr std::uint64_t most_copies = 64;
constexpr int warm_ups = 3;
constexpr std::size_t least_samples = 5;

[[noreturn]] void give_up(const char* what)
{
    std::printf("{\"problem\": {\"what\": \"CUB: %s\", \"where\": [\"\", 0, 0], \"remedy\": \"\"}}\n", what);
    std::exit(2);
}

void check(cudaError_t status)
{
    if (status != cudaSuccess) give_up(cudaGetErrorString(status));
}

/// Whole numbers from -9 to 9, by a linear congruence: their sums are exact as float, too.
std::vector<int> values()
{
    std::vector<int> result(period);
    std::uint32_t state = 7;
    for (int& value : result) {
        state = state * 1664525U + 1013904223U;
        value = static_cast<int>(state >> 16) % 19 - 9;
    }
    return result;
}

template <class T>
__global__ void fill(T* out, const T* one_period, std::uint64_t n)
{
    for (std::uint64_t i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x; i < n;
         i += std::uint64_t{gridDim.x} * blockDim.x)
        out[i] = one_period[i % period];
}

/// Keeps the GPU busy while the host queues what is timed after it, as delay.h does.
__global__ void delay(std::uint64_t nanoseconds)
{
    std::uint64_t begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (now - begin < nanoseconds);
}

struct Algorithm {
    const char* name;
    std::uint64_t bytes;  // that must be read and written
    std::uint64_t results;
};

/// The sum of the first `count` elements.
double sum_of(const std::vector<double>& before, std::uint64_t count)
{
    return static_cast<double>(count / period) * before.back() + before[count % period];
}

template <class T, class Run>
void measure(const Algorithm& algorithm, std::uint64_t n, std::size_t samples, double milliseconds, const T* one_period,
             const std::vector<double>& before, Run run)
{
    int device = 0, l2 = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    std::size_t free_bytes = 0, all_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &all_bytes));

    // Inputs in turn, as many as make together twice the L2 cache; where all of a round are in it together, other
    // memory is written before the round, as in timer.cpp.
    const std::uint64_t each = (n + algorithm.results) * sizeof(T);
    const std::uint64_t past_cache = 2 * static_cast<std::uint64_t>(l2) / each + 1;
    const std::uint64_t copies = std::max<std::uint64_t>(1, std::min({past_cache, all_bytes / 2 / each, most_copies}));
    std::vector<T*> in(copies), out(copies);
    std::vector<cudaEvent_t> start(copies), stop(copies);
    for (std::uint64_t c = 0; c < copies; ++c) {
        check(cudaMalloc(&in[c], n * sizeof(T)));
        check(cudaMalloc(&out[c], algorithm.results * sizeof(T)));
        check(cudaMemset(out[c], 0, algorithm.results * sizeof(T)));
        check(cudaEventCreate(&start[c]));
        check(cudaEventCreate(&stop[c]));
        fill<<<1024, 256>>>(in[c], one_period, n);
        check(cudaGetLastError());
    }
    std::size_t workspace_bytes = 0;
    check(run(nullptr, workspace_bytes, in[0], out[0]));
    const std::size_t past = 2 * static_cast<std::size_t>(l2);
    const bool evict = std::min<std::uint64_t>(copies, samples) * each < past;
    void* other = nullptr;
    check(cudaMalloc(&other, evict ? past : 1));
    void* workspace = nullptr;
    check(cudaMalloc(&workspace, std::max<std::size_t>(workspace_bytes, 1)));

    for (int i = 0; i < warm_ups; ++i) check(run(workspace, workspace_bytes, in[0], out[0]));
    check(cudaDeviceSynchronize());
    std::vector<T> result(algorithm.results);
    check(cudaMemcpy(result.data(), out[0], result.size() * sizeof(T), cudaMemcpyDeviceToHost));
    bool agrees = true;
    for (std::uint64_t i = 0; i < result.size(); ++i) {
        const double expected = sum_of(before, algorithm.results == 1 ? n : i + 1);
        agrees = agrees && result[i] == static_cast<T>(static_cast<std::int64_t>(expected));
    }

    std::vector<double> times;
    double spent = 0;
    while (times.size() < samples) {
        const std::uint64_t runs = std::min<std::uint64_t>(copies, samples - times.size());
        if (evict) check(cudaMemsetAsync(other, 0, past));
        delay<<<1, 1>>>(200'000 + runs * 50'000);
        check(cudaGetLastError());
        for (std::uint64_t c = 0; c < runs; ++c) {
            check(cudaEventRecord(start[c]));
            check(run(workspace, workspace_bytes, in[c], out[c]));
            check(cudaEventRecord(stop[c]));
        }
        check(cudaDeviceSynchronize());
        for (std::uint64_t c = 0; c < runs; ++c) {
            float time = 0;
            check(cudaEventElapsedTime(&time, start[c], stop[c]));
            times.push_back(time * 1e3);
            spent += time;
        }
        if (spent > milliseconds && times.size() >= least_samples) break;
    }
    std::sort(times.begin(), times.end());
    const auto rank = [&](double share) {
        const auto number = static_cast<std::size_t>(std::ceil(share * static_cast<double>(times.size())));
        return times[std::min(std::max<std::size_t>(number, 1), times.size()) - 1];
    };
    const std::size_t half = times.size() / 2;
    const double median = times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
    std::printf(
        "{\"point\": {\"kernel\": \"%s\", \"element\": \"%s\", \"n\": %llu, \"block\": 0, \"grid\": 0, "
        "\"launches\": 0, \"bytes\": %llu, \"time\": {\"median_us\": %.3f, \"least_us\": %.3f, \"p10_us\": %.3f, "
        "\"p90_us\": %.3f, \"samples\": %zu}, \"agrees\": %s, \"check\": \"oracle\"}}\n",
        algorithm.name, std::is_same_v<T, double> ? "double" : std::is_same_v<T, float> ? "float" : "int",
        static_cast<unsigned long long>(n),
        static_cast<unsigned long long>(algorithm.bytes), median, times.front(), rank(0.1), rank(0.9), times.size(),
        agrees ? "true" : "false");
    std::fflush(stdout);

    for (std::uint64_t c = 0; c < copies; ++c) {
        check(cudaFree(in[c]));
        check(cudaFree(out[c]));
        check(cudaEventDestroy(start[c]));
        check(cudaEventDestroy(stop[c]));
    }
    check(cudaFree(workspace));
    check(cudaFree(other));
}

template <class T>
void measure_all(const std::vector<std::uint64_t>& sizes, std::size_t samples, double milliseconds)
{
    const std::vector<int> whole = values();
    std::vector<T> numbers(whole.begin(), whole.end());
    std::vector<double> before(period + 1);
    for (std::uint64_t i = 0; i < period; ++i) before[i + 1] = before[i] + whole[i];
    T* one_period = nullptr;
    check(cudaMalloc(&one_period, period * sizeof(T)));
    check(cudaMemcpy(one_period, numbers.data(), period * sizeof(T), cudaMemcpyHostToDevice));
    for (const std::uint64_t n : sizes) {
        if (n > INT32_MAX) give_up("more elements than a count of 32 bits can say");
        const auto count = static_cast<std::int32_t>(n);  // as a caller writes it who has no more elements
        measure<T>({"cub::DeviceReduce", n * sizeof(T), 1}, n, samples, milliseconds, one_period, before,
                   [=](void* workspace, std::size_t& bytes, const T* in, T* out) {
                       return cub::DeviceReduce::Sum(workspace, bytes, in, out, count);
                   });
        measure<T>({"cub::DeviceScan", 2 * n * sizeof(T), n}, n, samples, milliseconds, one_period, before,
                   [=](void* workspace, std::size_t& bytes, const T* in, T* out) {
                       return cub::DeviceScan::InclusiveSum(workspace, bytes, in, out, count);
                   });
    }
    check(cudaFree(one_period));
}

}  // namespace

int main(int argc, char** argv)
{
    if (argc != 5) give_up("wants int, float or double, samples, milliseconds and sizes");
    const auto samples = static_cast<std::size_t>(std::max(std::atoi(argv[2]), 1));
    const double milliseconds = std::atof(argv[3]);
    std::vector<std::uint64_t> sizes;
    std::istringstream words(argv[4]);
    for (std::uint64_t n = 0; words >> n;) sizes.push_back(n);
    std::printf("{\"library\": \"CUB %d.%d.%d, nvcc %d.%d.%d\"}\n", CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
                CUB_SUBMINOR_VERSION, __CUDACC_VER_MAJOR__, __CUDACC_VER_MINOR__, __CUDACC_VER_BUILD__);
    if (std::strcmp(argv[1], "float") == 0)
        measure_all<float>(sizes, samples, milliseconds);
    else if (std::strcmp(argv[1], "double") == 0)
        measure_all<double>(sizes, samples, milliseconds);
    else
        measure_all<int>(sizes, samples, milliseconds);
    return 0;
}
