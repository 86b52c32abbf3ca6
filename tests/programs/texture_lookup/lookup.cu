// What a texture returns, mode by mode: address modes, filters, normalized coordinates and values, the formats of
// texels, and the three kinds of memory that a texture is made of.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                            \
    do {                                                                                       \
        cudaError_t error = (call);                                                            \
        if (error != cudaSuccess) {                                                            \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(1);                                                                      \
        }                                                                                      \
    } while (0)

const int samples = 14;

template <class T>
__global__ void fetchRow(cudaTextureObject_t texture, const float* at, T* out)
{
    out[threadIdx.x] = tex1D<T>(texture, at[threadIdx.x]);
}
template <class T>
__global__ void fetchPlane(cudaTextureObject_t texture, const float* at, float y, T* out)
{
    out[threadIdx.x] = tex2D<T>(texture, at[threadIdx.x], y);
}
template <class T>
__global__ void fetchLinear(cudaTextureObject_t texture, T* out)
{
    out[threadIdx.x] = tex1Dfetch<T>(texture, (int)threadIdx.x - 2);
}

struct Texture {
    cudaResourceDesc resource = {};
    cudaTextureDesc description = {};
    cudaTextureObject_t object = 0;
    void create() { CHECK(cudaCreateTextureObject(&object, &resource, &description, nullptr)); }
    ~Texture() { cudaDestroyTextureObject(object); }
};

template <class T>
cudaArray_t arrayOf(const std::vector<T>& texels, int width, int height,
                    cudaChannelFormatDesc channels = cudaCreateChannelDesc<T>())
{
    cudaArray_t array;
    CHECK(cudaMallocArray(&array, &channels, width, height));
    const int rows = height > 0 ? height : 1;
    CHECK(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(T), width * sizeof(T), rows,
                              cudaMemcpyHostToDevice));
    return array;
}

template <class T>
std::vector<T> take(T* device, int count)
{
    CHECK(cudaGetLastError());
    std::vector<T> host(count);
    CHECK(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost));
    return host;
}

int main()
{
    float *at, *out;
    CHECK(cudaMalloc(&at, samples * sizeof(float)));
    CHECK(cudaMalloc(&out, samples * 4 * sizeof(float)));

    // One row, by every address mode and both filters.
    std::vector<float> places = {-5.25f, -1.0f, -0.5f, 0.0f, 0.25f, 0.5f, 1.0f,
                                 1.3f,   2.75f, 3.5f,  3.9f, 4.0f,  4.6f, 9.1f};
    cudaArray_t row = arrayOf<float>({10, 20, 40, 80}, 4, 0);
    const char* modes[] = {"wrap", "clamp", "mirror", "border"};
    for (int normalized = 0; normalized < 2; ++normalized) {
        std::vector<float> coordinates = places;
        if (normalized)
            for (float& x : coordinates) x /= 4;
        CHECK(cudaMemcpy(at, coordinates.data(), samples * sizeof(float), cudaMemcpyHostToDevice));
        for (int mode = 0; mode < 4; ++mode) {
            for (int linear = 0; linear < 2; ++linear) {
                Texture texture;
                texture.resource.resType = cudaResourceTypeArray;
                texture.resource.res.array.array = row;
                texture.description.addressMode[0] = (cudaTextureAddressMode)mode;
                texture.description.filterMode = linear ? cudaFilterModeLinear : cudaFilterModePoint;
                texture.description.normalizedCoords = normalized;
                texture.description.borderColor[0] = 5;
                texture.create();
                fetchRow<<<1, samples>>>(texture.object, at, out);
                std::printf("%s %s %s:", normalized ? "normalized" : "texels", modes[mode],
                            linear ? "linear" : "point");
                for (float value : take(out, samples)) std::printf(" %.4f", value);
                std::printf("\n");
            }
        }
    }

    // Bytes read as fractions, and as they are.
    CHECK(cudaMemcpy(at, places.data(), samples * sizeof(float), cudaMemcpyHostToDevice));
    cudaArray_t bytes = arrayOf<uchar4>({{0, 51, 102, 255}, {255, 204, 153, 0}, {1, 2, 3, 4}, {128, 64, 32, 16}}, 2, 2);
    for (int normalized = 0; normalized < 2; ++normalized) {
        Texture texture;
        texture.resource.resType = cudaResourceTypeArray;
        texture.resource.res.array.array = bytes;
        texture.description.addressMode[0] = texture.description.addressMode[1] = cudaAddressModeClamp;
        texture.description.readMode = normalized ? cudaReadModeNormalizedFloat : cudaReadModeElementType;
        texture.description.filterMode = normalized ? cudaFilterModeLinear : cudaFilterModePoint;
        texture.create();
        if (normalized) {
            fetchPlane<<<1, samples>>>(texture.object, at, 1.0f, (float4*)out);
            for (float4 v : take((float4*)out, samples)) std::printf(" %.3f/%.3f/%.3f/%.3f", v.x, v.y, v.z, v.w);
        } else {
            fetchPlane<<<1, samples>>>(texture.object, at, 1.0f, (uchar4*)out);
            for (uchar4 v : take((uchar4*)out, samples)) std::printf(" %d/%d/%d/%d", v.x, v.y, v.z, v.w);
        }
        std::printf("\n");
    }
    cudaArray_t shorts = arrayOf<short>({-32768, -32767, -1, 32767}, 4, 1);
    std::vector<__half> small = {__float2half(0.5f), __float2half(-2.0f), __float2half(65504.0f), __float2half(6e-8f)};
    cudaArray_t halves = arrayOf<__half>(small, 4, 1, cudaCreateChannelDescHalf());
    for (int real = 0; real < 2; ++real) {
        Texture texture;
        texture.resource.resType = cudaResourceTypeArray;
        texture.resource.res.array.array = real ? halves : shorts;
        texture.description.addressMode[0] = texture.description.addressMode[1] = cudaAddressModeClamp;
        texture.description.readMode = real ? cudaReadModeElementType : cudaReadModeNormalizedFloat;
        texture.create();
        fetchPlane<<<1, samples>>>(texture.object, at, 0.0f, out);
        for (float value : take(out, samples)) std::printf(" %.6g", value);
        std::printf("\n");
    }

    // Linear memory, with indices before and past it, and pitched memory.
    int* numbers;
    CHECK(cudaMalloc(&numbers, 8 * sizeof(int)));
    std::vector<int> values = {11, -22, 33, -44, 55, -66, 77, -88};
    CHECK(cudaMemcpy(numbers, values.data(), 8 * sizeof(int), cudaMemcpyHostToDevice));
    {
        Texture texture;
        texture.resource.resType = cudaResourceTypeLinear;
        texture.resource.res.linear.devPtr = numbers;
        texture.resource.res.linear.desc = cudaCreateChannelDesc<int>();
        texture.resource.res.linear.sizeInBytes = 8 * sizeof(int);
        texture.create();
        fetchLinear<<<1, samples>>>(texture.object, (int*)out);
        for (int value : take((int*)out, samples)) std::printf(" %d", value);
        std::printf("\n");
    }
    float* image;
    size_t pitch;
    CHECK(cudaMallocPitch(&image, &pitch, 3 * sizeof(float), 2));
    float pixels[] = {1, 2, 4, 8, 16, 32};
    CHECK(cudaMemcpy2D(image, pitch, pixels, 3 * sizeof(float), 3 * sizeof(float), 2, cudaMemcpyHostToDevice));
    {
        Texture texture;
        texture.resource.resType = cudaResourceTypePitch2D;
        texture.resource.res.pitch2D = {image, cudaCreateChannelDesc<float>(), 3, 2, pitch};
        texture.description.addressMode[0] = texture.description.addressMode[1] = cudaAddressModeBorder;
        texture.description.filterMode = cudaFilterModeLinear;
        texture.create();
        fetchPlane<<<1, samples>>>(texture.object, at, 0.75f, out);
        for (float value : take(out, samples)) std::printf(" %.4f", value);
        std::printf("\n");

        cudaResourceDesc resource;
        cudaTextureDesc description;
        CHECK(cudaGetTextureObjectResourceDesc(&resource, texture.object));
        CHECK(cudaGetTextureObjectTextureDesc(&description, texture.object));
        std::printf("%zu x %zu, filter %d\n", resource.res.pitch2D.width, resource.res.pitch2D.height,
                    description.filterMode);
    }

    // What CUDA refuses.
    Texture wrong;
    wrong.resource.resType = cudaResourceTypeArray;
    wrong.resource.res.array.array = bytes;
    wrong.description.filterMode = cudaFilterModeLinear;
    std::printf("linear filter of bytes: %s\n",
                cudaGetErrorName(cudaCreateTextureObject(&wrong.object, &wrong.resource, &wrong.description, nullptr)));
    wrong.description.filterMode = cudaFilterModePoint;
    wrong.resource.res.array.array = nullptr;
    std::printf("no array: %s\n",
                cudaGetErrorName(cudaCreateTextureObject(&wrong.object, &wrong.resource, &wrong.description, nullptr)));
    wrong.resource.resType = cudaResourceTypeLinear;
    wrong.resource.res.linear = {numbers, cudaCreateChannelDesc<int>(), 8 * sizeof(int)};
    wrong.description.readMode = cudaReadModeNormalizedFloat;
    std::printf("normalized 32 bits: %s\n",
                cudaGetErrorName(cudaCreateTextureObject(&wrong.object, &wrong.resource, &wrong.description, nullptr)));
    cudaSurfaceObject_t surface = 0;
    wrong.resource.resType = cudaResourceTypeArray;
    wrong.resource.res.array.array = bytes;
    std::printf("surface without its flag: %s\n", cudaGetErrorName(cudaCreateSurfaceObject(&surface, &wrong.resource)));
    if (surface != 0) CHECK(cudaDestroySurfaceObject(surface));
    wrong.object = 0;

    for (cudaArray_t array : {row, bytes, shorts, halves}) CHECK(cudaFreeArray(array));
    CHECK(cudaFree(at));
    CHECK(cudaFree(out));
    CHECK(cudaFree(numbers));
    CHECK(cudaFree(image));
    return 0;
}
