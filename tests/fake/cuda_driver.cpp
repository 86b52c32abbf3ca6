// A fake of NVIDIA's driver library, for LANESCOPE_DRIVER: a GPU with host memory, whose kernels do nothing. FAKE_CUDA
// selects what is wrong with it:
//
//   none      there is no GPU                    old       it knows CUDA 12.2 (aged: 12.6)
//   ancient   compute capability 5.0             full      there is no room for more than 64 KiB at once
//   fault     a kernel accesses an illegal address                  lost      the GPU is gone after it
//   crash     a kernel ends the process by a signal              hang      a kernel never ends
//
// The kernels of the timer itself, for the ceilings and the delay, have no such faults.
//   reject    no PTX is taken
#include <unistd.h>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

namespace {

bool wrong(std::string_view what) {
    const char* const set = std::getenv("FAKE_CUDA");
    return set != nullptr && what == set;
}

int sticky = 0;  // the error of a context after a kernel's fault
int dummy = 0;   // target of all handles

using Address = unsigned long long;

void* memory(Address address) { return reinterpret_cast<void*>(address); }

/// A function is its module, and a module its text.
int launched(const void* function) {
    const std::string& text = *static_cast<const std::string*>(function);
    for (const char* ours : {".entry sweep(", ".entry nothing(", ".entry delay("})
        if (text.find(ours) != std::string::npos) return sticky;
    if (wrong("crash")) std::raise(SIGSEGV);
    while (wrong("hang")) pause();
    if (wrong("fault")) sticky = 700;
    if (wrong("lost")) sticky = 999;
    return 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned) { return 0; }
int cuDriverGetVersion(int* version) {
    *version = wrong("old") ? 12020 : wrong("aged") ? 12060 : 13000;
    return 0;
}
int cuGetErrorString(int, const char** text) {
    *text = "in the driver's own words";
    return 0;
}
int cuDeviceGetCount(int* count) {
    *count = wrong("none") ? 0 : 1;
    return 0;
}
int cuDeviceGet(int* device, int) {
    *device = 0;
    return 0;
}
int cuDeviceGetName(char* name, int, int) {
    std::memcpy(name, "NVIDIA Fake", sizeof("NVIDIA Fake"));
    return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int) {
    switch (attribute) {
        case 13: *value = 1'000'000; break;                 // clock, kHz
        case 16: *value = 2; break;                         // multiprocessors
        case 36: *value = 2'000'000; break;                 // of the memory
        case 37: *value = 256; break;                       // bits of the bus
        case 38:                                            // bytes of L2
        case 39: *value = 1024; break;                      // threads of a multiprocessor
        case 75: *value = wrong("ancient") ? 5 : 9; break;  // compute capability
        default: *value = 0;
    }
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t{1} << 30;
    return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int) {
    *context = &dummy;
    return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) { return 0; }
int cuCtxSetCurrent(void*) { return 0; }
int cuCtxSynchronize() { return sticky; }
int cuModuleLoadDataEx(void** module, const void* text, unsigned, int*, void**) {
    if (wrong("reject")) return 222;
    *module = new std::string(static_cast<const char*>(text));
    return sticky;
}
int cuModuleUnload(void* module) {
    delete static_cast<std::string*>(module);
    return 0;
}
int cuModuleGetFunction(void** function, void* module, const char*) {
    *function = module;
    return 0;
}
int cuFuncSetAttribute(void*, int, int) { return 0; }
/// Only the recorder's variable exists, so that a verified kernel runs, and logs nothing.
int cuModuleGetGlobal_v2(Address* address, std::size_t* bytes, void*, const char* name) {
    static std::byte recorder[64];
    if (std::string_view(name) != "lanescope_recorder") return 500;
    *address = reinterpret_cast<Address>(&recorder[0]);
    *bytes = sizeof recorder;
    return 0;
}
int cuMemAlloc_v2(Address* address, std::size_t bytes) {
    constexpr std::size_t room = 64 * 1024;
    if (wrong("full") && bytes > room) return 2;
    *address = reinterpret_cast<Address>(std::calloc(bytes, 1));
    return sticky;
}
int cuMemFree_v2(Address address) {
    std::free(memory(address));
    return 0;
}
int cuMemcpyHtoD_v2(Address to, const void* from, std::size_t bytes) {
    std::memcpy(memory(to), from, bytes);
    return sticky;
}
int cuMemcpyDtoH_v2(void* to, Address from, std::size_t bytes) {
    std::memcpy(to, memory(from), bytes);
    return sticky;
}
int cuMemcpyDtoDAsync_v2(Address to, Address from, std::size_t bytes, void*) {
    std::memmove(memory(to), memory(from), bytes);
    return sticky;
}
int cuMemsetD8Async(Address at, unsigned char value, std::size_t bytes, void*) {
    std::memset(memory(at), value, bytes);
    return sticky;
}
int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**,
                   void**) {
    return launched(function);
}
int cuLaunchCooperativeKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                              void*, void**) {
    return launched(function);
}
int cuEventCreate(void** event, unsigned) {
    *event = &dummy;
    return 0;
}
int cuEventDestroy_v2(void*) { return 0; }
int cuEventRecord(void*, void*) { return sticky; }
int cuEventElapsedTime(float* milliseconds, void*, void*) {
    *milliseconds = 0.01F;
    return sticky;
}

}  // extern "C"
