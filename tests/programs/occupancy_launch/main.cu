// Launches that ask the runtime first: attributes, occupancy, more dynamic shared memory, cudaLaunchKernelEx.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define OK(call)                                                                  \
    do {                                                                          \
        if (const cudaError_t e = (call)) {                                       \
            printf("%d: %s\n", __LINE__, cudaGetErrorString(e));                  \
            exit(1);                                                              \
        }                                                                         \
    } while (0)

__global__ void reverse_rows(const int* in, int* out, int row) {
    extern __shared__ int line[];
    const int* from = in + blockIdx.x * row;
    for (int i = threadIdx.x; i < row; i += blockDim.x) line[i] = from[i];
    __syncthreads();
    for (int i = threadIdx.x; i < row; i += blockDim.x) out[blockIdx.x * row + i] = line[row - 1 - i];
}

__global__ void square_all(int* v, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) v[i] *= v[i];
}

int main() {
    int device, shared_limit, processors;
    OK(cudaGetDevice(&device));
    OK(cudaDeviceGetAttribute(&shared_limit, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    OK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    cudaDeviceProp properties;
    OK(cudaGetDeviceProperties(&properties, device));

    const int rows = 4, row = 13000, n = rows * row;  // 52000 bytes a row, more than 48 KiB
    const size_t shared = row * sizeof(int);
    if (size_t(shared_limit) < shared) {
        printf("too little shared memory\n");
        return 2;
    }
    std::vector<int> host(n), result(n);
    for (int i = 0; i < n; ++i) host[i] = i % 30000;
    int *in, *out;
    OK(cudaMalloc(&in, n * sizeof(int)));
    OK(cudaMalloc(&out, n * sizeof(int)));
    OK(cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice));

    // without the attribute the launch is refused
    reverse_rows<<<rows, 256, shared>>>(in, out, row);
    printf("first try: %s\n", cudaGetErrorName(cudaGetLastError()));
    OK(cudaFuncSetAttribute(reverse_rows, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared)));
    cudaFuncAttributes attributes;
    OK(cudaFuncGetAttributes(&attributes, reverse_rows));
    int resident = 0;
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, reverse_rows, 256, shared));
    printf("fits: %s, no static shared memory: %s\n", resident > 0 ? "yes" : "no",
           attributes.sharedSizeBytes == 0 ? "yes" : "no");
    reverse_rows<<<rows, 256, shared>>>(in, out, row);
    OK(cudaGetLastError());

    int smallest_grid = 0, best_block = 0;
    OK(cudaOccupancyMaxPotentialBlockSize(&smallest_grid, &best_block, square_all, 0, 0));
    const bool sensible = smallest_grid >= processors && best_block % properties.warpSize == 0;
    printf("block size suggested: %s\n", sensible ? "sensible" : "strange");

    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(std::min(smallest_grid, 20));
    config.blockDim = dim3(std::min(best_block, 192));
    OK(cudaLaunchKernelEx(&config, square_all, out, n));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(result.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
    OK(cudaFree(in));
    OK(cudaFree(out));
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        const int expected = host[i / row * row + row - 1 - i % row];
        wrong += result[i] != expected * expected;
    }
    printf("%d wrong\n", wrong);
    return wrong != 0;
}
