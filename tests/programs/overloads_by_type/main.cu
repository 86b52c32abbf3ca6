// The same name for int, float and double: the compiler picks the launch by the type of the data.
#include <cstdio>
#include <vector>

__global__ void add_int(int* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] += 1;
}
__global__ void scale_float(float* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= 2.0f;
}
__global__ void square_double(double* v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= v[i];
}

inline int block_for(int) { return 32; }
inline int block_for(float) { return 64; }
inline int block_for(double) { return 128; }

inline void apply(int* v, int n) { add_int<<<(n + block_for(0) - 1) / block_for(0), block_for(0)>>>(v, n); }
inline void apply(float* v, int n) { scale_float<<<(n + block_for(0.f) - 1) / block_for(0.f), block_for(0.f)>>>(v, n); }
inline void apply(double* v, int n) {
    const int block = block_for(0.0);
    square_double<<<(n + block - 1) / block, block>>>(v, n);
}

void show(const char* what, int v) { printf("%s (int): %d\n", what, v); }
void show(const char* what, float v) { printf("%s (float): %.1f\n", what, v); }
void show(const char* what, double v) { printf("%s (double): %.1f\n", what, v); }

template <typename T>
T run(int n) {
    std::vector<T> host(n);
    for (int i = 0; i < n; ++i) host[i] = static_cast<T>(i);
    T* device = nullptr;
    cudaMalloc(&device, n * sizeof(T));
    cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    apply(device, n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(device);
    return host[n - 1];
}

int main() {
    show("last", run<int>(100));
    show("last", run<float>(100));
    show("last", run<double>(100));
    return 0;
}
