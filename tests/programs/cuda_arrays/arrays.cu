// A volume lives in a CUDA array. Its slices are taken out one by one, summed by a kernel over linear memory, and kept
// in the rows of a second array, from which the host reads a window.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t error = (call);                                                            \
        if (error != cudaSuccess) {                                                            \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(1);                                                                      \
        }                                                                                      \
    } while (0)

struct Size { int width, height, depth; };

__global__ void sumColumns(const float2* slice, float2* sums, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width) return;
    float2 sum = make_float2(0.0f, 0.0f);
    for (int y = 0; y < height; ++y) {
        sum.x += slice[y * width + x].x;
        sum.y += slice[y * width + x].y;
    }
    sums[x] = sum;
}

class Volume {
public:
    Volume(const Size& size, const std::vector<float2>& voxels) : size_(size)
    {
        cudaChannelFormatDesc channels = cudaCreateChannelDesc<float2>();
        CHECK(cudaMalloc3DArray(&array_, &channels, make_cudaExtent(size.width, size.height, size.depth)));
        cudaMemcpy3DParms copy = {};
        copy.srcPtr = make_cudaPitchedPtr(const_cast<float2*>(voxels.data()), size.width * sizeof(float2), size.width,
                                          size.height);
        copy.dstArray = array_;
        copy.extent = make_cudaExtent(size.width, size.height, size.depth);
        copy.kind = cudaMemcpyHostToDevice;
        CHECK(cudaMemcpy3D(&copy));
    }
    ~Volume() { CHECK(cudaFreeArray(array_)); }

    // Columns [first, first + width) of slice z, packed into linear memory.
    void take(int z, int first, int width, float2* to) const
    {
        cudaMemcpy3DParms copy = {};
        copy.srcArray = array_;
        copy.srcPos = make_cudaPos(first, 0, z);
        copy.dstPtr = make_cudaPitchedPtr(to, width * sizeof(float2), width, size_.height);
        copy.extent = make_cudaExtent(width, size_.height, 1);
        copy.kind = cudaMemcpyDeviceToDevice;
        CHECK(cudaMemcpy3D(&copy));
    }

private:
    Size size_;
    cudaArray_t array_;
};

int main()
{
    const Size size = {12, 5, 4};
    const int first = 2, width = 8;
    std::vector<float2> voxels(size.width * size.height * size.depth);
    for (size_t i = 0; i < voxels.size(); ++i) voxels[i] = make_float2(float(i % 7), float(i % 11));
    Volume volume(size, voxels);

    float2 *slice, *sums;
    CHECK(cudaMalloc(&slice, width * size.height * sizeof(float2)));
    CHECK(cudaMalloc(&sums, width * sizeof(float2)));
    cudaArray_t rows;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat);
    CHECK(cudaMallocArray(&rows, &channels, size.width, size.depth));

    cudaChannelFormatDesc known;
    cudaExtent extent;
    unsigned flags;
    CHECK(cudaArrayGetInfo(&known, &extent, &flags, rows));
    std::printf("%d x %d of %d + %d bits\n", int(extent.width), int(extent.height), known.x, known.y);

    for (int z = 0; z < size.depth; ++z) {
        volume.take(z, first, width, slice);
        sumColumns<<<1, 32>>>(slice, sums, width, size.height);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy2DToArray(rows, first * sizeof(float2), z, sums, width * sizeof(float2),
                                  width * sizeof(float2), 1, cudaMemcpyDeviceToDevice));
    }

    float2 window[3][4];
    CHECK(cudaMemcpy2DFromArray(window, sizeof window[0], rows, 3 * sizeof(float2), 1, sizeof window[0], 3,
                                cudaMemcpyDeviceToHost));
    for (const auto& row : window) {
        for (const float2& cell : row) std::printf(" %g:%g", cell.x, cell.y);
        std::printf("\n");
    }
    const cudaError_t past = cudaMemcpy2DFromArray(window, sizeof window[0], rows, 10 * sizeof(float2), 0,
                                                   sizeof window[0], 1, cudaMemcpyDeviceToHost);
    std::printf("%s\n", cudaGetErrorName(past));
    CHECK(cudaFreeArray(rows));
    CHECK(cudaFree(slice));
    CHECK(cudaFree(sums));
    return 0;
}
