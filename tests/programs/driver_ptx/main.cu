// Vector addition by the driver API: a module of PTX in the source, linked, loaded and launched twice, by pointers to
// the arguments and by one buffer of them.
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(x)                                                        \
    do {                                                                \
        CUresult r_ = (x);                                              \
        if (r_ != CUDA_SUCCESS) {                                       \
            const char *text = nullptr;                                 \
            cuGetErrorString(r_, &text);                                \
            printf("%s failed: %s\n", #x, text != nullptr ? text : "?"); \
            exit(1);                                                    \
        }                                                               \
    } while (0)

static const char *ptx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .global .align 4 .u32 launches;
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
    .reg .pred %p<3>;
    .reg .b32 %r<8>;
    .reg .f32 %f<4>;
    .reg .b64 %rd<12>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [c];
    ld.param.u32 %r2, [n];
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %ctaid.x;
    mov.u32 %r5, %tid.x;
    mad.lo.s32 %r1, %r4, %r3, %r5;
    setp.ne.s32 %p2, %r1, 0;
    @%p2 bra WORK;
    atom.global.add.u32 %r6, [launches], 1;
WORK:
    setp.ge.s32 %p1, %r1, %r2;
    @%p1 bra END;
    cvta.to.global.u64 %rd4, %rd1;
    mul.wide.s32 %rd5, %r1, 4;
    add.s64 %rd6, %rd4, %rd5;
    cvta.to.global.u64 %rd7, %rd2;
    add.s64 %rd8, %rd7, %rd5;
    ld.global.f32 %f1, [%rd8];
    ld.global.f32 %f2, [%rd6];
    add.f32 %f3, %f2, %f1;
    cvta.to.global.u64 %rd9, %rd3;
    add.s64 %rd10, %rd9, %rd5;
    st.global.f32 [%rd10], %f3;
END:
    ret;
}
)";

int main()
{
    CHECK(cuInit(0));
    int count = 0;
    CHECK(cuDeviceGetCount(&count));
    CUdevice device;
    CHECK(cuDeviceGet(&device, 0));
    CUcontext context;
    CHECK(cuDevicePrimaryCtxRetain(&context, device));
    CHECK(cuCtxSetCurrent(context));

    CUlinkState link;
    void *image;
    size_t imageBytes;
    CHECK(cuLinkCreate(0, nullptr, nullptr, &link));
    CHECK(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)ptx, strlen(ptx) + 1, "add.ptx", 0, nullptr, nullptr));
    CHECK(cuLinkComplete(link, &image, &imageBytes));
    CUmodule module;
    CHECK(cuModuleLoadData(&module, image));
    CHECK(cuLinkDestroy(link));
    CUfunction add, none;
    CHECK(cuModuleGetFunction(&add, module, "add"));
    const CUresult missing = cuModuleGetFunction(&none, module, "subtract");
    const char *name;
    CHECK(cuGetErrorName(missing, &name));
    printf("%s device, subtract: %s\n", count > 0 ? "a" : "no", name);

    const int n = 1000;
    std::vector<float> a(n), b(n), c(n);
    for (int i = 0; i < n; ++i) {
        a[i] = i;
        b[i] = 2 * i;
    }
    CUdeviceptr da, db, dc;
    CHECK(cuMemAlloc(&da, n * sizeof(float)));
    CHECK(cuMemAlloc(&db, n * sizeof(float)));
    CHECK(cuMemAlloc(&dc, n * sizeof(float)));
    CHECK(cuMemcpyHtoD(da, a.data(), n * sizeof(float)));
    CHECK(cuMemcpyHtoD(db, b.data(), n * sizeof(float)));
    CHECK(cuMemsetD32(dc, 0, n));
    CUstream stream;
    CHECK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamSynchronize(nullptr));

    int size = n;
    void *pointers[] = {&da, &db, &dc, &size};
    CHECK(cuLaunchKernel(add, (n + 255) / 256, 1, 1, 256, 1, 1, 0, stream, pointers, nullptr));
    // c + b -> c, with the arguments as they lie in the parameter space
    struct {
        CUdeviceptr a, b, c;
        int n, unused;
    } packed = {dc, db, dc, n, 0};
    size_t bytes = sizeof packed - sizeof packed.unused;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes, CU_LAUNCH_PARAM_END};
    CHECK(cuLaunchKernel(add, (n + 127) / 128, 1, 1, 128, 1, 1, 0, stream, nullptr, extra));
    CHECK(cuMemcpyDtoHAsync(c.data(), dc, n * sizeof(float), stream));
    CHECK(cuStreamSynchronize(stream));
    int bad = 0;
    for (int i = 0; i < n; ++i) bad += c[i] != 5 * i;

    CUdeviceptr counter;
    size_t counterBytes;
    unsigned launches = 0;
    CHECK(cuModuleGetGlobal(&counter, &counterBytes, module, "launches"));
    CHECK(cuMemcpyDtoH(&launches, counter, counterBytes));
    printf("%d wrong, %u launches counted in %zu bytes\n", bad, launches, counterBytes);

    CHECK(cuStreamDestroy(stream));
    CHECK(cuMemFree(da));
    CHECK(cuMemFree(db));
    CHECK(cuMemFree(dc));
    CHECK(cuModuleUnload(module));
    CHECK(cuDevicePrimaryCtxRelease(device));
    return bad != 0;
}
