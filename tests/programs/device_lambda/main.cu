// Device lambdas: for_each, map and reduce as templates, launched by a variadic helper that forwards its arguments.
#include <cstdio>
#include <type_traits>
#include <utility>
#include <vector>

template <typename F>
__global__ void for_each_index(int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) f(i);
}

template <typename T, typename Map, typename Combine>
__global__ void map_reduce(int n, T start, Map map, Combine combine, T* result) {
    __shared__ T shared[128];
    T own = start;
    for (int i = threadIdx.x; i < n; i += blockDim.x) own = combine(own, map(i));
    shared[threadIdx.x] = own;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) {
        if (threadIdx.x < s) shared[threadIdx.x] = combine(shared[threadIdx.x], shared[threadIdx.x + s]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *result = shared[0];
}

struct Shape {
    int blocks, threads;
};

template <typename... Parameters, typename... Arguments>
void launch(Shape shape, void (*kernel)(Parameters...), Arguments&&... arguments) {
    kernel<<<shape.blocks, shape.threads>>>(std::forward<Arguments>(arguments)...);
}

template <typename T, typename Map, typename Combine>
T reduce(int n, T start, Map map, Combine combine) {
    T *device, host;
    cudaMalloc(&device, sizeof(T));
    launch(Shape{1, 128}, map_reduce<T, Map, Combine>, n, start, map, combine, device);
    cudaMemcpy(&host, device, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(device);
    return host;
}

int main() {
    const int n = 700;
    int* v;
    cudaMalloc(&v, n * sizeof(int));
    auto collatz = [=] __device__(int i) {
        int steps = 0;
        for (long long x = i + 1; x != 1; x = x % 2 ? 3 * x + 1 : x / 2) ++steps;
        v[i] = steps;
    };
    launch(Shape{6, 64}, for_each_index<decltype(collatz)>, n, collatz);

    const auto most = reduce(
        n, 0, [v] __device__(int i) { return v[i]; }, [] __device__(int a, int b) { return a > b ? a : b; });
    const auto total = reduce(
        n, 0LL, [v] __device__(int i) { return static_cast<long long>(v[i]); },
        [] __device__(long long a, long long b) { return a + b; });
    std::vector<int> host(n);
    cudaMemcpy(host.data(), v, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(v);

    int expected_most = 0, wrong = 0;
    long long expected_total = 0;
    for (int i = 0; i < n; ++i) {
        int steps = 0;
        for (long long x = i + 1; x != 1; x = x % 2 ? 3 * x + 1 : x / 2) ++steps;
        wrong += steps != host[i];
        expected_most = steps > expected_most ? steps : expected_most;
        expected_total += steps;
    }
    printf("most steps %d, total %lld, %d wrong\n", most, total, wrong);
    const bool good = wrong == 0 && most == expected_most && total == expected_total;
    printf("%s\n", good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}
