// Rotates an image about its center: the texture unit interpolates between pixels and wraps what lies outside.
#include <cmath>
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

__global__ void rotate(float* output, int width, int height, float theta, cudaTextureObject_t tex)
{
    unsigned int x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int y = blockIdx.y * blockDim.y + threadIdx.y;

    float u = x / (float)width - 0.5f;
    float v = y / (float)height - 0.5f;
    float tu = u * cosf(theta) - v * sinf(theta) + 0.5f;
    float tv = v * cosf(theta) + u * sinf(theta) + 0.5f;

    output[y * width + x] = tex2D<float>(tex, tu, tv);
}

int main(int argc, char** argv)
{
    const int width = 32, height = 16;
    std::vector<float> image(width * height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) image[y * width + x] = (x / 4 + y / 4) % 2 ? 1.0f : 0.0f;

    cudaChannelFormatDesc channels = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    cudaArray_t pixels;
    CHECK(cudaMallocArray(&pixels, &channels, width, height));
    CHECK(cudaMemcpy2DToArray(pixels, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height,
                              cudaMemcpyHostToDevice));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = pixels;
    cudaTextureDesc description = {};
    description.normalizedCoords = true;
    description.filterMode = cudaFilterModeLinear;
    description.addressMode[0] = cudaAddressModeWrap;
    description.addressMode[1] = cudaAddressModeWrap;
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    float* rotated;
    CHECK(cudaMalloc(&rotated, image.size() * sizeof(float)));
    dim3 block(8, 8), grid(width / block.x, height / block.y);
    for (float angle : {0.0f, 0.5f}) {
        rotate<<<grid, block>>>(rotated, width, height, angle, texture);
        CHECK(cudaGetLastError());
        std::vector<float> result(image.size());
        CHECK(cudaMemcpy(result.data(), rotated, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
        std::printf("angle %.1f\n", angle);
        for (int y = 0; y < height; y += 3) {
            for (int x = 0; x < width; x += 3) std::printf(" %.2f", result[y * width + x]);
            std::printf("\n");
        }
    }
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(pixels));
    CHECK(cudaFree(rotated));
    return 0;
}
