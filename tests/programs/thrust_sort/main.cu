// Thrust: sort by a key, unique, transform, and a kernel of one's own on the vector's raw pointer.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <iostream>
#include <iterator>

__global__ void halve_odd(int* v, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] % 2) v[i] /= 2;
}

struct scramble {
    __host__ __device__ int operator()(int i) const { return (i * 7919 + 13) % 1000; }
};

int main() {
    const int n = 500;
    thrust::device_vector<int> keys(n), order(n);
    thrust::sequence(keys.begin(), keys.end());
    thrust::transform(keys.begin(), keys.end(), keys.begin(), scramble());
    halve_odd<<<(n + 63) / 64, 64>>>(thrust::raw_pointer_cast(keys.data()), n);
    thrust::sequence(order.begin(), order.end());
    thrust::sort_by_key(keys.begin(), keys.end(), order.begin(), thrust::greater<int>());

    thrust::host_vector<int> sorted = keys, positions = order;
    bool good = true;
    for (int i = 0; i < n; ++i) {
        int expected = scramble()(positions[i]);
        if (expected % 2) expected /= 2;
        good &= expected == sorted[i] && (i == 0 || sorted[i - 1] >= sorted[i]);
    }
    const auto end = thrust::unique(keys.begin(), keys.end());
    const int distinct = static_cast<int>(end - keys.begin());
    thrust::host_vector<int> again = sorted;
    const int expected_distinct = static_cast<int>(std::unique(again.begin(), again.end()) - again.begin());

    std::cout << "largest:";
    for (int i = 0; i < 5; ++i) std::cout << ' ' << keys[i];
    std::cout << "\nat their end: " << sorted[n - 1] << "\n";
    std::cout << distinct << " distinct, "
              << (good && distinct == expected_distinct ? "PASSED" : "FAILED") << std::endl;
    return good && distinct == expected_distinct ? 0 : 1;
}
