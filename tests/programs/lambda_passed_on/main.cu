// Launches handed to functions that repeat, measure and guard them.
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

__global__ void rotate_left(const int* in, int* out, int n, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[(i + by) % n];
}

template <typename Function>
void repeat(int times, Function&& function) {
    for (int i = 0; i < times; ++i) function(i);
}

class Stage {
  public:
    Stage(std::string name, std::function<int(int)> work) : name_(std::move(name)), work_(std::move(work)) {}
    void run(int input) const { printf("%-8s -> %d\n", name_.c_str(), work_(input)); }

  private:
    std::string name_;
    std::function<int(int)> work_;
};

int main() {
    constexpr int n = 192;
    std::vector<int> host(n);
    for (int i = 0; i < n; ++i) host[i] = i;
    int *a, *b;
    cudaMalloc(&a, sizeof(int) * n);
    cudaMalloc(&b, sizeof(int) * n);
    cudaMemcpy(a, host.data(), sizeof(int) * n, cudaMemcpyHostToDevice);

    int total = 0;
    repeat(3, [&](int round) {
        const int by = round + 1;
        rotate_left<<<n / 64, 64>>>(a, b, n, by);
        std::swap(a, b);
        total += by;
    });

    auto first_value = [&](int position) {
        int value = -1;
        cudaMemcpy(&value, a + position, sizeof(int), cudaMemcpyDeviceToHost);
        return value;
    };
    std::vector<Stage> stages;
    stages.emplace_back("first", first_value);
    stages.emplace_back("rotated", [&, n](int by) {
        rotate_left<<<2, 96>>>(a, b, n, by);
        std::swap(a, b);
        total += by;
        return first_value(0);
    });
    stages.emplace_back("last", [=](int) { return first_value(n - 1); });
    for (const Stage& stage : stages) stage.run(10);

    cudaMemcpy(host.data(), a, sizeof(int) * n, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += host[i] != (i + total) % n;
    printf("rotated by %d in all, %d wrong\n", total, wrong);
    cudaFree(a);
    cudaFree(b);
    return wrong;
}
