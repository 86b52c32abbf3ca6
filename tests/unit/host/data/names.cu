// Allocations that variables of every kind receive. Each line that a test asks for is marked with the variable's name.
#include <array>
#include <vector>

#include <cuda_runtime.h>

struct Particle {
    float x, y;
};
struct Buffers {
    int* in;
    float* out;
    struct {
        Particle* list;
    } particles;
};
namespace config {
double* d_table;
}
static short* d_weights[3];

template <class T>
class Device {
  public:
    explicit Device(int n) { cudaMalloc(&data_, n * sizeof(T)); }
    ~Device() { cudaFree(data_); }

  private:
    int unused_ = 0;
    T* data_;
};

static void allocate(float** target, int n) { cudaMalloc((void**)target, n * sizeof(float)); }
static void resize(Buffers& buffers, int n) { cudaMalloc(&buffers.out, n * sizeof(float)); }

int main()
{
    float* d_in;
    cudaMalloc(&d_in, 64);  // d_in: float
    float* d_passed;
    allocate(&d_passed, 16);  // d_passed: float
    Buffers buffers;
    cudaMalloc(&buffers.in, 64);  // buffers.in: int
    resize(buffers, 16);  // buffers.out: float
    cudaMalloc(&buffers.particles.list, 64);  // buffers.particles.list: Particle
    unsigned int* d_many[2][3];
    for (int i = 0; i < 2; ++i) cudaMalloc(&d_many[i][2], 64);  // d_many[0][2]: unsigned int, d_many[1][2]: unsigned int
    cudaMalloc(&config::d_table, 64);  // d_table: double
    cudaMalloc(&d_weights[1], 64);  // d_weights[1]: short int
    static char* d_static;
    cudaMalloc(&d_static, 64);  // d_static: char
    void* d_raw;
    cudaMallocManaged(&d_raw, 64);  // d_raw:
    std::vector<float*> d_streams(2);
    cudaMalloc(&d_streams[1], 64);  // d_streams[1]: float
    std::array<const float*, 2> d_pair;
    cudaMalloc((void**)&d_pair[1], 64);  // d_pair[1]: float
    Buffers* heap = new Buffers;
    cudaMalloc(&heap->in, 64);  // heap->in: int
    resize(*heap, 16);  // buffers.out: float
    Device<double> device(8);  // device.data_: double
    Device<int>* made = new Device<int>(8);  // data_: int
    if (true) {
        long* d_inner;
        cudaMalloc(&d_inner, 64);  // d_inner: long int
        cudaFree(d_inner);
    }
    auto get = [&](int n) {
        Particle* d_local;
        cudaMalloc(&d_local, n);  // d_local: Particle
        return d_local;
    };
    cudaFree(get(64));
    float** unknown = static_cast<float**>(malloc(8));
    cudaMalloc(unknown, 64);  // :
    delete made;
    cudaDeviceReset();
}
