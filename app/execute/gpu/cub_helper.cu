// cub::DeviceReduce and cub::DeviceScan, which nvcc builds twice for `lanescope time --cub`: as a library for the
// rounds of a kernel beside it (cub_library.h), and as a program that times them alone by the rules of timer.h and
// writes lines of timing/stream.h.
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

/// Keeps the GPU busy while the host queues the work that is timed after it, like delay.h.
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

/// CUB's call, with inputs to take in turn.
struct Contender {
    virtual ~Contender() = default;
    virtual cudaError_t run(std::uint64_t copy) = 0;
    virtual bool agrees() = 0;
};

template <class T, class Run>
class Made : public Contender {
  public:
    Made(const Algorithm& algorithm, std::uint64_t n, std::uint64_t copies, const T* one_period,
         const std::vector<double>& before, Run run)
        : algorithm_(algorithm), n_(n), before_(before), run_(run), in_(copies), out_(copies)
    {
        for (std::uint64_t c = 0; c < copies; ++c) {
            check(cudaMalloc(&in_[c], n * sizeof(T)));
            check(cudaMalloc(&out_[c], algorithm.results * sizeof(T)));
            check(cudaMemset(out_[c], 0, algorithm.results * sizeof(T)));
            fill<<<1024, 256>>>(in_[c], one_period, n);
            check(cudaGetLastError());
        }
        check(run_(nullptr, workspace_bytes_, in_[0], out_[0]));
        check(cudaMalloc(&workspace_, std::max<std::size_t>(workspace_bytes_, 1)));
    }
    ~Made() override
    {
        for (T* in : in_) check(cudaFree(in));
        for (T* out : out_) check(cudaFree(out));
        check(cudaFree(workspace_));
    }

    cudaError_t run(std::uint64_t copy) override { return run_(workspace_, workspace_bytes_, in_[copy], out_[copy]); }

    bool agrees() override
    {
        for (int i = 0; i < warm_ups; ++i) check(run(0));
        check(cudaDeviceSynchronize());
        std::vector<T> result(algorithm_.results);
        check(cudaMemcpy(result.data(), out_[0], result.size() * sizeof(T), cudaMemcpyDeviceToHost));
        for (std::uint64_t i = 0; i < result.size(); ++i) {
            const double expected = sum_of(before_, algorithm_.results == 1 ? n_ : i + 1);
            if (result[i] != static_cast<T>(static_cast<std::int64_t>(expected))) return false;
        }
        return true;
    }

  private:
    Algorithm algorithm_;
    std::uint64_t n_;
    std::vector<double> before_;
    Run run_;
    std::vector<T*> in_, out_;
    void* workspace_ = nullptr;
    std::size_t workspace_bytes_ = 0;
};

template <class T>
auto reduction_of(std::int32_t count)  // the type of a caller that needs no larger count
{
    return [=](void* workspace, std::size_t& bytes, const T* in, T* out) {
        return cub::DeviceReduce::Sum(workspace, bytes, in, out, count);
    };
}

template <class T>
auto scan_of(std::int32_t count)
{
    return [=](void* workspace, std::size_t& bytes, const T* in, T* out) {
        return cub::DeviceScan::InclusiveSum(workspace, bytes, in, out, count);
    };
}

template <class T>
Algorithm reduction(std::uint64_t n) { return {"cub::DeviceReduce", n * sizeof(T), 1}; }

template <class T>
Algorithm scan(std::uint64_t n) { return {"cub::DeviceScan", 2 * n * sizeof(T), n}; }

/// One period of the inputs on the device, and its sums.
template <class T>
struct Inputs {
    T* one_period = nullptr;
    std::vector<double> before;

    Inputs() : before(period + 1)
    {
        const std::vector<int> whole = values();
        const std::vector<T> numbers(whole.begin(), whole.end());
        for (std::uint64_t i = 0; i < period; ++i) before[i + 1] = before[i] + whole[i];
        check(cudaMalloc(&one_period, period * sizeof(T)));
        check(cudaMemcpy(one_period, numbers.data(), period * sizeof(T), cudaMemcpyHostToDevice));
    }
    Inputs(const Inputs&) = delete;
    Inputs& operator=(const Inputs&) = delete;
    ~Inputs() { check(cudaFree(one_period)); }
};

template <class T>
Contender* made(bool scans, std::uint64_t n, std::uint64_t copies)
{
    const Inputs<T> inputs;
    const auto count = static_cast<std::int32_t>(n);
    if (scans) return new Made(scan<T>(n), n, copies, inputs.one_period, inputs.before, scan_of<T>(count));
    return new Made(reduction<T>(n), n, copies, inputs.one_period, inputs.before, reduction_of<T>(count));
}

template <class T, class Run>
void measure(const Algorithm& algorithm, std::uint64_t n, std::size_t samples, double milliseconds,
             const Inputs<T>& inputs, Run run)
{
    int device = 0, l2 = 0;
    check(cudaGetDevice(&device));
    check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    std::size_t free_bytes = 0, all_bytes = 0;
    check(cudaMemGetInfo(&free_bytes, &all_bytes));

    // Inputs in turn, as many as make together twice the L2 cache; if all inputs of a round fit in it, other memory is
    // written before the round, as in timer.cpp.
    const std::uint64_t each = (n + algorithm.results) * sizeof(T);
    const std::uint64_t past_cache = 2 * static_cast<std::uint64_t>(l2) / each + 1;
    const std::uint64_t copies = std::max<std::uint64_t>(1, std::min({past_cache, all_bytes / 2 / each, most_copies}));
    std::vector<cudaEvent_t> start(copies), stop(copies);
    for (std::uint64_t c = 0; c < copies; ++c) {
        check(cudaEventCreate(&start[c]));
        check(cudaEventCreate(&stop[c]));
    }
    Made<T, Run> contender(algorithm, n, copies, inputs.one_period, inputs.before, run);
    const std::size_t past = 2 * static_cast<std::size_t>(l2);
    const bool evict = std::min<std::uint64_t>(copies, samples) * each < past;
    void* other = nullptr;
    check(cudaMalloc(&other, evict ? past : 1));
    const bool agrees = contender.agrees();

    std::vector<double> times;
    double spent = 0;
    while (times.size() < samples) {
        const std::uint64_t runs = std::min<std::uint64_t>(copies, samples - times.size());
        if (evict) check(cudaMemsetAsync(other, 0, past));
        delay<<<1, 1>>>(200'000 + runs * 50'000);
        check(cudaGetLastError());
        for (std::uint64_t c = 0; c < runs; ++c) {
            check(cudaEventRecord(start[c]));
            check(contender.run(c));
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
        check(cudaEventDestroy(start[c]));
        check(cudaEventDestroy(stop[c]));
    }
    check(cudaFree(other));
}

template <class T>
void measure_all(const std::vector<std::uint64_t>& sizes, std::size_t samples, double milliseconds)
{
    const Inputs<T> inputs;
    for (const std::uint64_t n : sizes) {
        if (n > INT32_MAX) give_up("more elements than a 32-bit count can hold");
        const auto count = static_cast<std::int32_t>(n);
        measure<T>(reduction<T>(n), n, samples, milliseconds, inputs, reduction_of<T>(count));
        measure<T>(scan<T>(n), n, samples, milliseconds, inputs, scan_of<T>(count));
    }
}

}  // namespace

// As a library (cub_library.cpp).
extern "C" {

void* lanescope_cub_make(int scans, const char* type, std::uint64_t n, std::uint64_t copies)
{
    if (n > INT32_MAX) give_up("more elements than a 32-bit count can hold");
    if (std::strcmp(type, "int") == 0) return made<int>(scans != 0, n, copies);
    if (std::strcmp(type, "float") == 0) return made<float>(scans != 0, n, copies);
    if (std::strcmp(type, "double") == 0) return made<double>(scans != 0, n, copies);
    return nullptr;
}

int lanescope_cub_run(void* made, std::uint64_t copy) { return static_cast<Contender*>(made)->run(copy); }

int lanescope_cub_agrees(void* made) { return static_cast<Contender*>(made)->agrees() ? 1 : 0; }

void lanescope_cub_end(void* made) { delete static_cast<Contender*>(made); }

}  // extern "C"

int main(int argc, char** argv)
{
    if (argc != 5) give_up("expected int, float or double, samples, milliseconds and sizes");
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
