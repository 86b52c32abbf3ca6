// Heat on a plate: boundary conditions as classes, a solver as an interface with two implementations.
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

struct FixedEdge {
    float top, side;
    __host__ __device__ float at(int x, int y, int w, int h) const { return y == 0 ? top : side; }
    __host__ __device__ bool covers(int x, int y, int w, int h) const {
        return x == 0 || y == 0 || x == w - 1 || y == h - 1;
    }
};

template <typename Boundary>
__host__ __device__ float heat_at(const float* t, int x, int y, int w, int h, const Boundary& boundary) {
    if (boundary.covers(x, y, w, h)) return boundary.at(x, y, w, h);
    return 0.25f * (t[y * w + x - 1] + t[y * w + x + 1] + t[(y - 1) * w + x] + t[(y + 1) * w + x]);
}

template <typename Boundary>
__global__ void heat_step(const float* now, float* next, int w, int h, Boundary boundary) {
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < h; y += gridDim.y * blockDim.y)
        for (int x = blockIdx.x * blockDim.x + threadIdx.x; x < w; x += gridDim.x * blockDim.x)
            next[y * w + x] = heat_at(now, x, y, w, h, boundary);
}

class Solver {
  public:
    virtual ~Solver() = default;
    virtual void run(std::vector<float>& plate, int w, int h, int steps) = 0;
};

template <typename Boundary>
class GpuSolver final : public Solver {
  public:
    explicit GpuSolver(Boundary boundary) : boundary_(boundary) {}
    void run(std::vector<float>& plate, int w, int h, int steps) override {
        float* buffers[2];
        for (float*& b : buffers) cudaMalloc(&b, plate.size() * sizeof(float));
        cudaMemcpy(buffers[0], plate.data(), plate.size() * sizeof(float), cudaMemcpyHostToDevice);
        int in = 0;
        for (int s = 0; s < steps; ++s, in ^= 1)
            heat_step<Boundary><<<dim3(2, 2), dim3(16, 8)>>>(buffers[in], buffers[in ^ 1], w, h, boundary_);
        cudaMemcpy(plate.data(), buffers[in], plate.size() * sizeof(float), cudaMemcpyDeviceToHost);
        for (float* b : buffers) cudaFree(b);
    }

  private:
    Boundary boundary_;
};

template <typename Boundary>
class CpuSolver final : public Solver {
  public:
    explicit CpuSolver(Boundary boundary) : boundary_(boundary) {}
    void run(std::vector<float>& plate, int w, int h, int steps) override {
        std::vector<float> next(plate.size());
        for (int s = 0; s < steps; ++s) {
            for (int y = 0; y < h; ++y)
                for (int x = 0; x < w; ++x) next[y * w + x] = heat_at(plate.data(), x, y, w, h, boundary_);
            plate.swap(next);
        }
    }

  private:
    Boundary boundary_;
};

int main() {
    const int w = 40, h = 20, steps = 30;
    const FixedEdge edge = {100.0f, 20.0f};
    std::map<std::string, std::unique_ptr<Solver>> solvers;
    solvers["cpu"] = std::make_unique<CpuSolver<FixedEdge>>(edge);
    solvers["gpu"] = std::make_unique<GpuSolver<FixedEdge>>(edge);
    std::map<std::string, std::vector<float>> plates;
    for (auto& [name, solver] : solvers) {
        std::vector<float> plate(w * h, 20.0f);
        solver->run(plate, w, h, steps);
        plates[name] = std::move(plate);
    }
    float largest = 0;
    for (int i = 0; i < w * h; ++i) largest = std::fmax(largest, std::fabs(plates["cpu"][i] - plates["gpu"][i]));
    const auto& gpu = plates["gpu"];
    for (int y = 0; y < h; y += 4) printf("row %2d: %.1f\n", y, gpu[y * w + w / 2]);
    printf("%s\n", largest < 1e-3f ? "PASSED" : "FAILED");
    return largest < 1e-3f ? 0 : 1;
}
