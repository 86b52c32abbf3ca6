// A class frees in its destructor, and its user frees as well.
#include <iostream>
#include <vector>

struct Buffer {
    float* data = nullptr;
    int size;
    explicit Buffer(int n) : size(n) { cudaMalloc(&data, n * sizeof(float)); }
    ~Buffer() {
        const cudaError_t error = cudaFree(data);
        if (error != cudaSuccess) std::cout << "~Buffer: " << cudaGetErrorName(error) << std::endl;
        cudaGetLastError();
    }
};

__global__ void fill(float* v, int n, float value) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) v[i] = value;
}

int main() {
    {
        Buffer buffer(100);
        fill<<<1, 32>>>(buffer.data, buffer.size, 1.5f);
        std::vector<float> host(buffer.size);
        cudaMemcpy(host.data(), buffer.data, buffer.size * sizeof(float), cudaMemcpyDeviceToHost);
        float sum = 0;
        for (float v : host) sum += v;
        std::cout << "sum " << sum << std::endl;
        cudaFree(buffer.data);
    }
    std::cout << "done" << std::endl;
    return 0;
}
