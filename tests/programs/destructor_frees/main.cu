// Device memory owned by an object: freed where its scope ends, moved into a container, swapped between steps.
#include <cstdio>
#include <utility>
#include <vector>

template <typename T>
class DeviceArray {
  public:
    explicit DeviceArray(size_t size) : size_(size) {
        cudaMalloc(&data_, size * sizeof(T));
        ++alive;
    }
    ~DeviceArray() {
        if (!data_) return;
        cudaFree(data_);
        --alive;
        printf("freed %zu\n", size_);
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    DeviceArray(DeviceArray&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(other.size_) {}
    void upload(const std::vector<T>& from) {
        cudaMemcpy(data_, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
    }
    std::vector<T> download() const {
        std::vector<T> to(size_);
        cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost);
        return to;
    }
    T* get() { return data_; }
    size_t size() const { return size_; }
    static int alive;

  private:
    T* data_ = nullptr;
    size_t size_;
};
template <typename T>
int DeviceArray<T>::alive = 0;

__global__ void pairwise_sum(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[2 * i] + in[2 * i + 1];
}

int main() {
    std::vector<int> host(256);
    for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<int>(i % 10);
    std::vector<DeviceArray<int>> levels;
    levels.reserve(9);
    levels.emplace_back(host.size());
    levels[0].upload(host);
    {
        DeviceArray<int> scratch(64);
        printf("alive: %d\n", DeviceArray<int>::alive);
    }
    while (levels.back().size() > 1) {
        DeviceArray<int> next(levels.back().size() / 2);
        const int n = static_cast<int>(next.size());
        pairwise_sum<<<(n + 31) / 32, 32>>>(levels.back().get(), next.get(), n);
        levels.push_back(std::move(next));
    }
    int expected = 0;
    for (int value : host) expected += value;
    const int sum = levels.back().download()[0];
    printf("alive: %d\nsum %d, expected %d\n", DeviceArray<int>::alive, sum, expected);
    levels.clear();
    printf("alive: %d\n", DeviceArray<int>::alive);
    return sum == expected ? 0 : 1;
}
