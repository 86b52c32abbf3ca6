// CUDA arrays, a texture with a linear filter and a surface by the driver API: an image and a volume are copied into
// arrays, kernels of a module of PTX read and write them, and what the arrays then hold is copied out.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(x)                                                        \
    do {                                                                \
        CUresult r_ = (x);                                              \
        if (r_ != CUDA_SUCCESS) {                                       \
            const char *text = nullptr;                                 \
            cuGetErrorName(r_, &text);                                  \
            printf("%s failed: %s\n", #x, text != nullptr ? text : "?"); \
            exit(1);                                                    \
        }                                                               \
    } while (0)

// halfway: out[y * width + x] = tex2D<float>(image, x + 1.0f, y + 0.5f), between a texel and its right neighbor.
// deepen: every element of slice z of the volume is increased by tex1Dfetch<int>(words, z).
static const char *ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry halfway(.param .u64 image, .param .u64 out, .param .u32 width, .param .u32 height)
{
    .reg .pred %p<4>;
    .reg .f32 %f<9>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [image];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r3, [width];
    ld.param.u32 %r4, [height];
    mov.u32 %r5, %ctaid.x;
    mov.u32 %r6, %ntid.x;
    mov.u32 %r7, %tid.x;
    mad.lo.s32 %r1, %r5, %r6, %r7;
    mov.u32 %r8, %ntid.y;
    mov.u32 %r9, %ctaid.y;
    mov.u32 %r10, %tid.y;
    mad.lo.s32 %r2, %r9, %r8, %r10;
    setp.ge.s32 %p1, %r1, %r3;
    setp.ge.s32 %p2, %r2, %r4;
    or.pred %p3, %p1, %p2;
    @%p3 bra END;
    cvta.to.global.u64 %rd3, %rd2;
    cvt.rn.f32.s32 %f1, %r1;
    add.f32 %f2, %f1, 0f3F800000;
    cvt.rn.f32.s32 %f3, %r2;
    add.f32 %f4, %f3, 0f3F000000;
    tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f2, %f4}];
    mad.lo.s32 %r11, %r2, %r3, %r1;
    mul.wide.s32 %rd4, %r11, 4;
    add.s64 %rd5, %rd3, %rd4;
    st.global.f32 [%rd5], %f5;
END:
    ret;
}
.visible .entry deepen(.param .u64 words, .param .u64 volume, .param .u32 depth)
{
    .reg .pred %p<2>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [words];
    ld.param.u64 %rd2, [volume];
    ld.param.u32 %r1, [depth];
    mov.u32 %r2, %tid.x;
    shl.b32 %r3, %r2, 2;
    mov.u32 %r4, %tid.y;
    mov.u32 %r5, 0;
SLICE:
    setp.ge.s32 %p1, %r5, %r1;
    @%p1 bra END;
    tex.1d.v4.s32.s32 {%r6, %r7, %r8, %r9}, [%rd1, {%r5}];
    suld.b.3d.b32.trap {%r10}, [%rd2, {%r3, %r4, %r5, %r5}];
    add.s32 %r11, %r6, %r10;
    sust.b.3d.b32.trap [%rd2, {%r3, %r4, %r5, %r5}], {%r11};
    add.s32 %r5, %r5, 1;
    bra SLICE;
END:
    ret;
}
)";

static const int width = 5, height = 3;

static CUarray make_image(const std::vector<float> &pixels)
{
    CUDA_ARRAY_DESCRIPTOR description = {};
    description.Width = width;
    description.Height = height;
    description.Format = CU_AD_FORMAT_FLOAT;
    description.NumChannels = 1;
    CUarray image;
    CHECK(cuArrayCreate(&image, &description));
    CUDA_ARRAY_DESCRIPTOR told = {};
    CHECK(cuArrayGetDescriptor(&told, image));
    printf("image %zu x %zu, %u channel, %s\n", told.Width, told.Height, told.NumChannels,
           told.Format == CU_AD_FORMAT_FLOAT ? "float" : "?");
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = pixels.data();
    copy.srcPitch = width * sizeof(float);
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = image;
    copy.WidthInBytes = width * sizeof(float);
    copy.Height = height;
    CHECK(cuMemcpy2D(&copy));
    return image;
}

static void blur(CUmodule module)
{
    std::vector<float> pixels(width * height);
    for (int i = 0; i < width * height; ++i) pixels[i] = (float)(i * i);
    CUarray image = make_image(pixels);

    CUDA_RESOURCE_DESC resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = image;
    CUDA_TEXTURE_DESC description = {};
    for (int i = 0; i < 3; ++i) description.addressMode[i] = CU_TR_ADDRESS_MODE_CLAMP;
    description.filterMode = CU_TR_FILTER_MODE_LINEAR;
    CUtexObject texture;
    CHECK(cuTexObjectCreate(&texture, &resource, &description, nullptr));
    CUDA_RESOURCE_DESC of_resource;
    CUDA_TEXTURE_DESC of_texture;
    CHECK(cuTexObjectGetResourceDesc(&of_resource, texture));
    CHECK(cuTexObjectGetTextureDesc(&of_texture, texture));
    printf("the array: %s, linear: %s\n", of_resource.res.array.hArray == image ? "yes" : "no",
           of_texture.filterMode == CU_TR_FILTER_MODE_LINEAR ? "yes" : "no");

    CUfunction halfway;
    CHECK(cuModuleGetFunction(&halfway, module, "halfway"));
    CUdeviceptr out;
    CHECK(cuMemAlloc(&out, pixels.size() * sizeof(float)));
    int w = width, h = height;
    void *arguments[] = {&texture, &out, &w, &h};
    CHECK(cuLaunchKernel(halfway, 1, 1, 1, 8, 4, 1, 0, nullptr, arguments, nullptr));
    std::vector<float> result(pixels.size());
    CHECK(cuMemcpyDtoH(result.data(), out, result.size() * sizeof(float)));
    int wrong = 0;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const float right = pixels[y * width + (x + 1 < width ? x + 1 : x)];
            wrong += result[y * width + x] != 0.5f * (pixels[y * width + x] + right);
        }
    printf("halfway: %d wrong\n", wrong);
    CHECK(cuTexObjectDestroy(texture));
    CHECK(cuArrayDestroy(image));
    CHECK(cuMemFree(out));
}

static void deepen(CUmodule module)
{
    const int columns = 4, rows = 3, depth = 2;
    CUDA_ARRAY3D_DESCRIPTOR description = {};
    description.Width = columns;
    description.Height = rows;
    description.Depth = depth;
    description.Format = CU_AD_FORMAT_SIGNED_INT32;
    description.NumChannels = 1;
    description.Flags = CUDA_ARRAY3D_SURFACE_LDST;
    CUarray volume;
    CHECK(cuArray3DCreate(&volume, &description));
    std::vector<int> voxels(columns * rows * depth);
    for (size_t i = 0; i < voxels.size(); ++i) voxels[i] = (int)i;
    CUDA_MEMCPY3D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = voxels.data();
    copy.srcPitch = columns * sizeof(int);
    copy.srcHeight = rows;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = volume;
    copy.WidthInBytes = columns * sizeof(int);
    copy.Height = rows;
    copy.Depth = depth;
    CHECK(cuMemcpy3D(&copy));

    // The words that a 1-D texture of linear memory reads go through two 1-D arrays.
    const int words[4] = {7, 100, 1000, 10000};
    CUDA_ARRAY_DESCRIPTOR line = {};
    line.Width = 4;
    line.Format = CU_AD_FORMAT_SIGNED_INT32;
    line.NumChannels = 1;
    CUarray first, second;
    CHECK(cuArrayCreate(&first, &line));
    CHECK(cuArrayCreate(&second, &line));
    CHECK(cuMemcpyHtoA(first, 0, words, sizeof words));
    CHECK(cuMemcpyAtoA(second, 0, first, sizeof(int), 2 * sizeof(int)));
    CHECK(cuMemcpyAtoA(second, 2 * sizeof(int), first, 0, 2 * sizeof(int)));
    CUdeviceptr linear;
    CHECK(cuMemAlloc(&linear, sizeof words));
    CHECK(cuMemcpyAtoD(linear, second, 0, sizeof words));
    CHECK(cuMemcpyDtoA(first, 0, linear, sizeof words));
    int back[4] = {};
    CHECK(cuMemcpyAtoH(back, first, 0, sizeof back));
    printf("words %d %d %d %d\n", back[0], back[1], back[2], back[3]);

    CUDA_RESOURCE_DESC of_words = {};
    of_words.resType = CU_RESOURCE_TYPE_LINEAR;
    of_words.res.linear.devPtr = linear;
    of_words.res.linear.format = CU_AD_FORMAT_SIGNED_INT32;
    of_words.res.linear.numChannels = 1;
    of_words.res.linear.sizeInBytes = sizeof words;
    CUDA_TEXTURE_DESC as_integer = {};
    as_integer.flags = CU_TRSF_READ_AS_INTEGER;
    CUtexObject texture;
    CHECK(cuTexObjectCreate(&texture, &of_words, &as_integer, nullptr));
    CUDA_RESOURCE_DESC of_volume = {};
    of_volume.resType = CU_RESOURCE_TYPE_ARRAY;
    of_volume.res.array.hArray = volume;
    CUsurfObject surface;
    CHECK(cuSurfObjectCreate(&surface, &of_volume));

    CUfunction kernel;
    CHECK(cuModuleGetFunction(&kernel, module, "deepen"));
    int slices = depth;
    void *arguments[] = {&texture, &surface, &slices};
    CHECK(cuLaunchKernel(kernel, 1, 1, 1, columns, rows, 1, 0, nullptr, arguments, nullptr));

    // One column of both slices, into pitched memory of the host.
    int column[2][rows][2] = {};
    CUDA_MEMCPY3D out = {};
    out.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    out.srcArray = volume;
    out.srcXInBytes = sizeof(int);
    out.dstMemoryType = CU_MEMORYTYPE_HOST;
    out.dstHost = column;
    out.dstPitch = 2 * sizeof(int);
    out.dstHeight = rows;
    out.WidthInBytes = sizeof(int);
    out.Height = rows;
    out.Depth = depth;
    CHECK(cuMemcpy3D(&out));
    for (int z = 0; z < depth; ++z)
        for (int y = 0; y < rows; ++y) printf("%d%s", column[z][y][0], y + 1 < rows ? " " : "\n");

    CHECK(cuSurfObjectDestroy(surface));
    CHECK(cuTexObjectDestroy(texture));
    CHECK(cuArrayDestroy(volume));
    CHECK(cuArrayDestroy(first));
    CHECK(cuArrayDestroy(second));
    CHECK(cuMemFree(linear));
}

int main()
{
    CHECK(cuInit(0));
    CUdevice device;
    CHECK(cuDeviceGet(&device, 0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));
    CUmodule module;
    CHECK(cuModuleLoadData(&module, ptx));
    blur(module);
    deepen(module);
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    return 0;
}
