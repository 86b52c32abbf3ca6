// Pins the memory of std::vector for as long as copies run, as programs do that get their data from elsewhere. Such
// memory shares its pages with the rest of the heap.
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                     \
    do {                                                                                \
        cudaError_t status = (call);                                                    \
        if (status != cudaSuccess) {                                                    \
            printf("%s: %s\n", #call, cudaGetErrorString(status));                      \
            return 1;                                                                   \
        }                                                                               \
    } while (0)

__global__ void triple(int* values, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= 3;
}

int main()
{
    std::map<std::string, std::vector<int>> series;
    for (int size : {10, 1000, 5000}) {
        std::vector<int>& values = series["of " + std::to_string(size)];
        for (int i = 0; i < size; i++) values.push_back(i);
    }
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (auto& [name, values] : series) {
        size_t bytes = values.size() * sizeof(int);
        int n = (int)values.size();
        int* device = nullptr;
        CHECK(cudaMalloc(&device, bytes));
        CHECK(cudaHostRegister(values.data(), bytes, cudaHostRegisterDefault));
        CHECK(cudaMemcpyAsync(device, values.data(), bytes, cudaMemcpyHostToDevice, stream));
        triple<<<(n + 127) / 128, 128, 0, stream>>>(device, n);
        CHECK(cudaMemcpyAsync(values.data(), device, bytes, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        CHECK(cudaHostUnregister(values.data()));
        CHECK(cudaFree(device));
        values.push_back(3 * n);  // the heap is as it was
    }
    CHECK(cudaStreamDestroy(stream));
    for (const auto& [name, values] : series) {
        int wrong = 0;
        for (int i = 0; i < (int)values.size(); i++) wrong += values[i] != 3 * i;
        printf("%s: %d wrong\n", name.c_str(), wrong);
    }
    return 0;
}
