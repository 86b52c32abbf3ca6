// CUB's device-wide radix sort of pairs, prefix sum and selection, with temporary storage in an RAII object.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

template <typename T>
class Device {
  public:
    explicit Device(size_t n) : size_(n) { cudaMalloc(&data_, n * sizeof(T)); }
    explicit Device(const std::vector<T>& v) : Device(v.size()) {
        cudaMemcpy(data_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~Device() { cudaFree(data_); }
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;
    operator T*() const { return data_; }
    std::vector<T> host() const {
        std::vector<T> v(size_);
        cudaMemcpy(v.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }

  private:
    T* data_ = nullptr;
    size_t size_;
};

// Calls one of CUB's algorithms twice: for the size of its storage, then with it.
template <typename Algorithm>
void with_storage(Algorithm algorithm) {
    size_t bytes = 0;
    algorithm(nullptr, bytes);
    Device<char> storage(bytes);
    algorithm(static_cast<void*>(static_cast<char*>(storage)), bytes);
}

struct Even {
    __host__ __device__ bool operator()(unsigned v) const { return v % 2 == 0; }
};

int main() {
    const int n = 1500;
    std::vector<unsigned> keys(n), values(n);
    std::iota(values.begin(), values.end(), 0u);
    for (int i = 0; i < n; ++i) keys[i] = (i * 40503u) % 9973u;

    Device<unsigned> d_keys(keys), d_values(values), sorted_keys(n), sorted_values(n), sums(n), chosen(n);
    Device<int> d_count(1);
    with_storage([&](void* storage, size_t& bytes) {
        cub::DeviceRadixSort::SortPairs(storage, bytes, (const unsigned*)d_keys, (unsigned*)sorted_keys,
                                        (const unsigned*)d_values, (unsigned*)sorted_values, n);
    });
    with_storage([&](void* storage, size_t& bytes) {
        cub::DeviceScan::ExclusiveSum(storage, bytes, (const unsigned*)sorted_keys, (unsigned*)sums, n);
    });
    with_storage([&](void* storage, size_t& bytes) {
        cub::DeviceSelect::If(storage, bytes, (const unsigned*)sorted_keys, (unsigned*)chosen, (int*)d_count, n,
                              Even());
    });

    std::stable_sort(values.begin(), values.end(), [&](unsigned a, unsigned b) { return keys[a] < keys[b]; });
    std::vector<unsigned> expected(n), expected_sums(n), expected_even;
    for (int i = 0; i < n; ++i) expected[i] = keys[values[i]];
    for (int i = 1; i < n; ++i) expected_sums[i] = expected_sums[i - 1] + expected[i - 1];
    std::copy_if(expected.begin(), expected.end(), std::back_inserter(expected_even), Even());
    const int count = d_count.host()[0];
    std::vector<unsigned> even = chosen.host();
    even.resize(count);

    const bool sorted = sorted_keys.host() == expected && sorted_values.host() == values;
    const bool scanned = sums.host() == expected_sums;
    const bool selected = even == expected_even;
    std::cout << "sorted " << sorted << ", scanned " << scanned << ", selected " << selected << "\n";
    std::cout << "smallest " << expected.front() << ", total " << expected_sums.back() + expected.back() << ", "
              << count << " even\n";
    return sorted && scanned && selected ? 0 : 1;
}
