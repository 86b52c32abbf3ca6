// A kernel that the program compiles at run time by NVRTC, loads and launches by the driver API.
#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define NVRTC_CHECK(call)                                           \
    do {                                                            \
        nvrtcResult result = (call);                                \
        if (result != NVRTC_SUCCESS) {                              \
            printf("%s: %s\n", #call, nvrtcGetErrorString(result)); \
            exit(1);                                                \
        }                                                           \
    } while (0)

const char* source = R"(
extern "C" __global__ void axpy(float a, const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
)";

std::string compile(const char* text) {
    nvrtcProgram program;
    NVRTC_CHECK(nvrtcCreateProgram(&program, text, "axpy.cu", 0, nullptr, nullptr));
    const char* options[] = {"--gpu-architecture=compute_75"};
    const nvrtcResult compiled = nvrtcCompileProgram(program, 1, options);
    size_t log_size, size;
    NVRTC_CHECK(nvrtcGetProgramLogSize(program, &log_size));
    std::string log(log_size, '\0');
    NVRTC_CHECK(nvrtcGetProgramLog(program, &log[0]));
    printf("%s, log: %s\n", nvrtcGetErrorString(compiled), log_size > 1 ? "not empty" : "empty");
    std::string ptx;
    if (compiled == NVRTC_SUCCESS) {
        NVRTC_CHECK(nvrtcGetPTXSize(program, &size));
        ptx.resize(size);
        NVRTC_CHECK(nvrtcGetPTX(program, &ptx[0]));
    }
    NVRTC_CHECK(nvrtcDestroyProgram(&program));
    return ptx;
}

int main() {
    compile("__global__ void wrong() { missing(); }");
    const std::string ptx = compile(source);

    cuInit(0);
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction axpy;
    cuDeviceGet(&device, 0);
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    cuModuleLoadData(&module, ptx.c_str());
    cuModuleGetFunction(&axpy, module, "axpy");

    int n = 100;
    float a = 3;
    std::vector<float> host(n, 2.0f);
    CUdeviceptr x, y;
    cuMemAlloc(&x, n * sizeof(float));
    cuMemAlloc(&y, n * sizeof(float));
    cuMemcpyHtoD(x, host.data(), n * sizeof(float));
    cuMemsetD32(y, 0, n);
    void* arguments[] = {&a, &x, &y, &n};
    cuLaunchKernel(axpy, 4, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    cuMemcpyDtoH(host.data(), y, n * sizeof(float));
    printf("%g %g\n", host.front(), host.back());
    cuMemFree(x);
    cuMemFree(y);
    cuModuleUnload(module);
    cuDevicePrimaryCtxRelease(device);
}
