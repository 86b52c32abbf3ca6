// Host threads share the device: each has a stream and a part of the work, taken from a common counter.
#include <atomic>
#include <cstdio>
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>

__global__ void count_divisors(int first, int n, int* divisors) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const int v = first + i;
    int count = 0;
    for (int d = 1; d * d <= v; ++d)
        if (v % d == 0) count += d * d == v ? 1 : 2;
    divisors[i] = count;
}

class Worker {
  public:
    Worker(std::atomic<int>& next, std::vector<int>& results, std::mutex& device, int chunk)
        : next_(next), results_(results), device_(device), chunk_(chunk) {}

    void operator()() {
        cudaSetDevice(0);
        cudaStream_t stream;
        cudaStreamCreate(&stream);
        int* d_divisors;
        cudaMalloc(&d_divisors, chunk_ * sizeof(int));
        for (int first; (first = next_.fetch_add(chunk_)) < static_cast<int>(results_.size());) {
            const std::lock_guard<std::mutex> lock(device_);
            count_divisors<<<(chunk_ + 63) / 64, 64, 0, stream>>>(first + 1, chunk_, d_divisors);
            cudaMemcpyAsync(&results_[first], d_divisors, chunk_ * sizeof(int), cudaMemcpyDeviceToHost, stream);
            cudaStreamSynchronize(stream);
        }
        cudaFree(d_divisors);
        cudaStreamDestroy(stream);
    }

  private:
    std::atomic<int>& next_;
    std::vector<int>& results_;
    std::mutex& device_;
    int chunk_;
};

int main() {
    const int n = 1000, chunk = 125;
    std::vector<int> divisors(n);
    std::atomic<int> next{0};
    std::mutex device;
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) threads.emplace_back(Worker(next, divisors, device, chunk));
    for (std::thread& thread : threads) thread.join();

    std::vector<int> expected(n);
    for (int d = 1; d <= n; ++d)
        for (int v = d; v <= n; v += d) ++expected[v - 1];
    int most = 0;
    for (int i = 0; i < n; ++i)
        if (divisors[i] > divisors[most]) most = i;
    std::printf("%d has most divisors, %d; in all %d\n", most + 1, divisors[most],
                std::accumulate(divisors.begin(), divisors.end(), 0));
    std::printf("%s\n", divisors == expected ? "PASSED" : "FAILED");
    return divisors == expected ? 0 : 1;
}
