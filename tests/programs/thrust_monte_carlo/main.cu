// Thrust without a kernel of one's own but one: reductions over counting iterators, zip iterators, SAXPY, norms.
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/inner_product.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include <cmath>
#include <cstdio>

struct saxpy_functor {
    const float a;
    saxpy_functor(float a) : a(a) {}
    __host__ __device__ float operator()(const float& x, const float& y) const { return a * x + y; }
};

// darts of a low-discrepancy sequence
struct inside_circle {
    __host__ __device__ int operator()(unsigned i) const {
        const unsigned x = (i * 2654435769u) >> 16, y = (i * 1779033703u) >> 16;
        return x * x / 4 + y * y / 4 <= 65535u * 16384u;
    }
};

struct dot2 {
    __host__ __device__ int operator()(const thrust::tuple<int, int>& t) const {
        return thrust::get<0>(t) * thrust::get<1>(t);
    }
};

__global__ void fill(int* a, int* b, int n) {
    const int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) {
        a[i] = i % 10;
        b[i] = i % 4 - 1;
    }
}

int main() {
    const int n = 1000;
    thrust::device_vector<float> x(n, 2.0f), y(n, 1.0f);
    thrust::transform(x.begin(), x.end(), y.begin(), y.begin(), saxpy_functor(3.0f));
    const float sum = thrust::reduce(thrust::device, y.begin(), y.end());
    printf("saxpy: y[0] = %.1f, sum %.1f\n", float(y[0]), sum);

    const unsigned darts = 4000;
    const int hits = thrust::transform_reduce(thrust::device, thrust::make_counting_iterator(0u),
                                              thrust::make_counting_iterator(darts), inside_circle(), 0,
                                              thrust::plus<int>());
    int expected_hits = 0;
    for (unsigned i = 0; i < darts; ++i) expected_hits += inside_circle()(i);
    printf("darts: %d of %u, %s\n", hits, darts,
           std::fabs(4.0 * hits / darts - 3.1416) < 0.05 ? "near pi" : "not near pi");

    int *a, *b;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    fill<<<4, 256>>>(a, b, n);
    thrust::device_ptr<int> pa(a), pb(b);
    const int inner = thrust::inner_product(pa, pa + n, pb, 0);
    auto zipped = thrust::make_zip_iterator(thrust::make_tuple(pa, pb));
    const int by_zip = thrust::transform_reduce(zipped, zipped + n, dot2(), 0, thrust::plus<int>());
    cudaFree(a);
    cudaFree(b);
    int expected = 0;
    for (int i = 0; i < n; ++i) expected += i % 10 * (i % 4 - 1);
    printf("inner product: %d, %d\n", inner, by_zip);
    const bool good = sum == 7000.0f && hits == expected_hits && inner == expected && by_zip == expected;
    printf("%s\n", good ? "PASSED" : "FAILED");
    return good ? 0 : 1;
}
