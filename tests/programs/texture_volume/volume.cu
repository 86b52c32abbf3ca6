// Marches rays through a volume in a 3-D texture, which interpolates between eight voxels; then inverts the volume
// through a 3-D surface and marches again.
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

__global__ void march(cudaTextureObject_t volume, float* image, int width, int height, int steps)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0.0f;
    for (int i = 0; i < steps; ++i)
        sum += tex3D<float>(volume, (x + 0.5f) / width, (y + 0.5f) / height, (i + 0.25f) / steps);
    image[y * width + x] = sum;
}

__global__ void invert(cudaSurfaceObject_t volume, int depth)
{
    int x = threadIdx.x, y = threadIdx.y;
    for (int z = 0; z < depth; ++z) {
        unsigned char value = surf3Dread<unsigned char>(volume, x, y, z);
        surf3Dwrite<unsigned char>(255 - value, volume, x, y, z);
    }
}

void show(const float* device, int width, int height)
{
    std::vector<float> image(width * height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(image.data(), device, image.size() * sizeof(float), cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) std::printf(" %.2f", image[y * width + x]);
        std::printf("\n");
    }
}

int main()
{
    const cudaExtent size = make_cudaExtent(6, 5, 4);
    std::vector<unsigned char> voxels(size.width * size.height * size.depth);
    for (size_t z = 0; z < size.depth; ++z)
        for (size_t y = 0; y < size.height; ++y)
            for (size_t x = 0; x < size.width; ++x)
                voxels[(z * size.height + y) * size.width + x] = (unsigned char)(10 * x + 20 * y + 30 * z);

    cudaChannelFormatDesc channels = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    CHECK(cudaMalloc3DArray(&array, &channels, size, cudaArraySurfaceLoadStore));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(voxels.data(), size.width, size.width, size.height);
    copy.dstArray = array;
    copy.extent = size;
    copy.kind = cudaMemcpyHostToDevice;
    CHECK(cudaMemcpy3D(&copy));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    cudaTextureDesc description = {};
    description.normalizedCoords = true;
    description.filterMode = cudaFilterModeLinear;
    for (int i = 0; i < 3; ++i) description.addressMode[i] = cudaAddressModeClamp;
    description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));

    const int width = 8, height = 4, steps = 16;
    float* image;
    CHECK(cudaMalloc(&image, width * height * sizeof(float)));
    march<<<dim3(1, 1), dim3(8, 4)>>>(texture, image, width, height, steps);
    show(image, width, height);
    invert<<<1, dim3(size.width, size.height)>>>(surface, size.depth);
    march<<<dim3(1, 1), dim3(8, 4)>>>(texture, image, width, height, steps);
    show(image, width, height);

    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(array));
    CHECK(cudaFree(image));
    return 0;
}
