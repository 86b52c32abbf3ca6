// A launch configured in a lambda: what it captured by value stays as it was, what it captured by reference does not.
#include <iostream>
#include <numeric>
#include <vector>

__global__ void count_up(int* counters, int n, int step) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) counters[i] += step;
}

int main() {
    int n = 256;
    int step = 1;
    int* counters = nullptr;
    cudaMalloc(&counters, 1024 * sizeof(int));
    cudaMemset(counters, 0, 1024 * sizeof(int));

    auto by_value = [=] { count_up<<<n / 64, 64>>>(counters, n, step); };
    auto by_reference = [&] { count_up<<<n / 64, 64>>>(counters, n, step); };
    auto mixed = [n, &step, counters] { count_up<<<n / 64, 64>>>(counters, n, step); };
    auto own = [counters, count = n / 2, step]() mutable {
        count_up<<<1, count>>>(counters, count, step);
        count /= 2;
    };

    n = 1024;
    step = 100;
    by_value();
    by_reference();
    mixed();
    own();
    own();

    std::vector<int> host(1024);
    cudaMemcpy(host.data(), counters, 1024 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(counters);
    const long sum = std::accumulate(host.begin(), host.end(), 0L);
    const long expected = 256 * 1 + 1024 * 100 + 256 * 100 + 128 + 64;
    std::cout << host[0] << " " << host[100] << " " << host[200] << " " << host[1023] << std::endl;
    std::cout << "sum " << sum << (sum == expected ? " as expected" : " WRONG") << std::endl;
    return sum == expected ? 0 : 1;
}
