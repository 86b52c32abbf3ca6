// A kernel writes an image through a surface, another one reads it through a texture; then what lies outside.
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

__global__ void draw(cudaSurfaceObject_t surface, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    uchar4 color = make_uchar4(10 * x, 10 * y, x + y, 255);
    surf2Dwrite(color, surface, x * sizeof(uchar4), y);
}

__global__ void smooth(cudaTextureObject_t image, float4* out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
            float4 pixel = tex2D<float4>(image, x + dx + 0.5f, y + dy + 0.5f);
            sum.x += pixel.x;
            sum.y += pixel.y;
            sum.z += pixel.z;
            sum.w += pixel.w;
        }
    out[y * width + x] = make_float4(sum.x / 9, sum.y / 9, sum.z / 9, sum.w / 9);
}

__global__ void edges(cudaSurfaceObject_t surface, int* out)
{
    int x = (int)threadIdx.x - 2;
    out[threadIdx.x] = surf2Dread<int>(surface, x * 4, 1, cudaBoundaryModeClamp);
    out[threadIdx.x + blockDim.x] = surf2Dread<int>(surface, x * 4, 1, cudaBoundaryModeZero);
    surf2Dwrite<unsigned short>(7 + x, surface, x * 2, -1, cudaBoundaryModeZero);
    surf2Dwrite(1000 + x, surface, x * 4, 99, cudaBoundaryModeZero);
}

__global__ void scale(cudaSurfaceObject_t row)
{
    int2 pair;
    surf1Dread(&pair, row, threadIdx.x * sizeof(int2));
    pair.x *= 2;
    pair.y += pair.x;
    surf1Dwrite(pair, row, threadIdx.x * sizeof(int2));
}

int main()
{
    const int width = 6, height = 5;
    cudaChannelFormatDesc channels = cudaCreateChannelDesc<uchar4>();
    cudaArray_t image;
    CHECK(cudaMallocArray(&image, &channels, width, height, cudaArraySurfaceLoadStore));

    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = image;
    cudaSurfaceObject_t surface;
    CHECK(cudaCreateSurfaceObject(&surface, &resource));
    cudaTextureDesc description = {};
    description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
    description.readMode = cudaReadModeNormalizedFloat;
    cudaTextureObject_t texture;
    CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

    float4* smoothed;
    CHECK(cudaMalloc(&smoothed, width * height * sizeof(float4)));
    dim3 block(4, 4), grid((width + 3) / 4, (height + 3) / 4);
    draw<<<grid, block>>>(surface, width, height);
    smooth<<<grid, block>>>(texture, smoothed, width, height);
    std::vector<float4> result(width * height);
    CHECK(cudaMemcpy(result.data(), smoothed, result.size() * sizeof(float4), cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            float4 pixel = result[y * width + x];
            std::printf(" %.3f/%.3f/%.3f", pixel.x * 255, pixel.y * 255, pixel.z * 255);
        }
        std::printf("\n");
    }

    int* out;
    const int threads = 10;
    CHECK(cudaMalloc(&out, 2 * threads * sizeof(int)));
    edges<<<1, threads>>>(surface, out);
    std::vector<int> edge(2 * threads);
    CHECK(cudaMemcpy(edge.data(), out, edge.size() * sizeof(int), cudaMemcpyDeviceToHost));
    for (int value : edge) std::printf(" %08x", value);
    std::printf("\n");
    std::vector<uchar4> pixels(width * height);
    CHECK(cudaMemcpy2DFromArray(pixels.data(), width * sizeof(uchar4), image, 0, 0, width * sizeof(uchar4), height,
                                cudaMemcpyDeviceToHost));
    for (int x = 0; x < width; ++x) std::printf(" %d/%d/%d", pixels[x].x, pixels[x].y, pixels[x].z);
    std::printf("\n");

    std::vector<int2> numbers = {{1, 2}, {3, 4}, {5, 6}, {-7, 8}};
    cudaChannelFormatDesc pairs = cudaCreateChannelDesc<int2>();
    cudaArray_t row;
    CHECK(cudaMallocArray(&row, &pairs, 4, 0, cudaArraySurfaceLoadStore));
    const size_t bytes = 4 * sizeof(int2);
    CHECK(cudaMemcpy2DToArray(row, 0, 0, numbers.data(), bytes, bytes, 1, cudaMemcpyHostToDevice));
    resource.res.array.array = row;
    cudaSurfaceObject_t line;
    CHECK(cudaCreateSurfaceObject(&line, &resource));
    scale<<<1, 4>>>(line);
    CHECK(cudaMemcpy2DFromArray(numbers.data(), bytes, row, 0, 0, bytes, 1, cudaMemcpyDeviceToHost));
    for (int2 pair : numbers) std::printf(" %d:%d", pair.x, pair.y);
    std::printf("\n");

    CHECK(cudaDestroySurfaceObject(line));
    CHECK(cudaDestroySurfaceObject(surface));
    CHECK(cudaDestroyTextureObject(texture));
    CHECK(cudaFreeArray(row));
    CHECK(cudaFreeArray(image));
    CHECK(cudaFree(out));
    CHECK(cudaFree(smoothed));
    return 0;
}
