// k-means in two dimensions: assignment on the GPU, sums by atomics, until no point changes its cluster.
#include <array>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

namespace clustering {

constexpr int K = 3;
struct Point {
    int x, y;
};
struct Sums {
    int x[K], y[K], count[K];
};

__constant__ Point c_centers[K];
__device__ int d_changed;

__global__ void assign(const Point* points, int* labels, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Point p = points[i];
    int best = 0, best_distance = 0x7fffffff;
    for (int k = 0; k < K; ++k) {
        const int dx = p.x - c_centers[k].x, dy = p.y - c_centers[k].y;
        const int distance = dx * dx + dy * dy;
        if (distance < best_distance) {
            best_distance = distance;
            best = k;
        }
    }
    if (labels[i] != best) {
        labels[i] = best;
        atomicAdd(&d_changed, 1);
    }
}

__global__ void accumulate(const Point* points, const int* labels, int n, Sums* sums) {
    __shared__ Sums local;
    if (threadIdx.x < K) local.x[threadIdx.x] = local.y[threadIdx.x] = local.count[threadIdx.x] = 0;
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const int k = labels[i];
        atomicAdd(&local.x[k], points[i].x);
        atomicAdd(&local.y[k], points[i].y);
        atomicAdd(&local.count[k], 1);
    }
    __syncthreads();
    if (threadIdx.x < K) {
        atomicAdd(&sums->x[threadIdx.x], local.x[threadIdx.x]);
        atomicAdd(&sums->y[threadIdx.x], local.y[threadIdx.x]);
        atomicAdd(&sums->count[threadIdx.x], local.count[threadIdx.x]);
    }
}

}  // namespace clustering

int main() {
    using namespace clustering;
    const int n = 600, block = 128, grid = (n + block - 1) / block;
    const std::array<Point, K> middle = {{{200, 200}, {800, 300}, {500, 900}}};
    std::mt19937 generator(42);
    std::vector<Point> points(n);
    for (int i = 0; i < n; ++i)
        points[i] = {middle[i % K].x + int(generator() % 201) - 100, middle[i % K].y + int(generator() % 201) - 100};

    Point* d_points;
    int* d_labels;
    Sums* d_sums;
    cudaMalloc(&d_points, n * sizeof(Point));
    cudaMalloc(&d_labels, n * sizeof(int));
    cudaMalloc(&d_sums, sizeof(Sums));
    cudaMemcpy(d_points, points.data(), n * sizeof(Point), cudaMemcpyHostToDevice);
    cudaMemset(d_labels, 0xff, n * sizeof(int));

    std::array<Point, K> centers = {points[0], points[1], points[2]};
    int changed = n, rounds = 0;
    while (changed > 0 && rounds < 50) {
        changed = 0;
        cudaMemcpyToSymbol(c_centers, centers.data(), sizeof(centers));
        cudaMemcpyToSymbol(d_changed, &changed, sizeof(int));
        assign<<<grid, block>>>(d_points, d_labels, n);
        cudaMemset(d_sums, 0, sizeof(Sums));
        accumulate<<<grid, block>>>(d_points, d_labels, n, d_sums);
        Sums sums;
        cudaMemcpy(&sums, d_sums, sizeof(Sums), cudaMemcpyDeviceToHost);
        cudaMemcpyFromSymbol(&changed, d_changed, sizeof(int));
        for (int k = 0; k < K; ++k)
            if (sums.count[k]) centers[k] = {sums.x[k] / sums.count[k], sums.y[k] / sums.count[k]};
        printf("round %d: %d changed\n", ++rounds, changed);
    }
    std::vector<int> labels(n);
    cudaMemcpy(labels.data(), d_labels, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += labels[i] != i % K;
    for (const Point& center : centers) printf("center (%d, %d)\n", center.x, center.y);
    printf("%d points in a wrong cluster\n", wrong);
    cudaFree(d_points);
    cudaFree(d_labels);
    cudaFree(d_sums);
    return wrong;
}
