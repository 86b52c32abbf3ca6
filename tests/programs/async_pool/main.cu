// Stream-ordered allocation: every task takes its scratch memory from the pool and gives it back in the stream.
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace cuda_raii {
class stream {
    cudaStream_t handle_{};

  public:
    stream() {
        if (cudaStreamCreate(&handle_) != cudaSuccess) throw std::runtime_error("no stream");
    }
    ~stream() { cudaStreamDestroy(handle_); }
    stream(const stream&) = delete;
    operator cudaStream_t() const { return handle_; }
    void wait() const { cudaStreamSynchronize(handle_); }
};

template <typename T>
class buffer {
    T* data_{};
    cudaStream_t stream_;

  public:
    buffer(size_t n, cudaStream_t s) : stream_(s) {
        if (cudaMallocAsync(reinterpret_cast<void**>(&data_), n * sizeof(T), s) != cudaSuccess) throw std::bad_alloc();
    }
    ~buffer() { cudaFreeAsync(data_, stream_); }
    buffer(const buffer&) = delete;
    operator T*() const { return data_; }
};
}  // namespace cuda_raii

__global__ void sum_of_digits(const int* in, int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        int sum = 0;
        for (int v = in[i]; v > 0; v /= 10) sum += v % 10;
        out[i] = sum;
    }
}

std::vector<int> digits(const std::vector<int>& in) {
    const int n = static_cast<int>(in.size());
    cuda_raii::stream stream;
    cuda_raii::buffer<int> d_in(n, stream), d_out(n, stream);
    cudaMemcpyAsync(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice, stream);
    sum_of_digits<<<4, 64, 0, stream>>>(d_in, d_out, n);
    std::vector<int> out(n);
    cudaMemcpyAsync(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    stream.wait();
    return out;
}

int main() try {
    int failed = 0;
    for (int n : {10, 100, 1000}) {
        std::vector<int> numbers(n);
        std::iota(numbers.begin(), numbers.end(), 99950);
        const auto sums = digits(numbers);
        const auto again = digits(sums);
        int wrong = 0;
        for (int i = 0; i < n; ++i) {
            int expected = 0;
            for (char c : std::to_string(numbers[i])) expected += c - '0';
            wrong += sums[i] != expected;
            wrong += again[i] != expected / 10 + expected % 10;
        }
        std::printf("%4d numbers: %d has digit sum %d; %s\n", n, numbers.back(), sums.back(), wrong ? "WRONG" : "ok");
        failed += wrong;
    }
    return failed;
} catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 100;
}
