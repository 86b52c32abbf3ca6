#include "execute/gpu/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::execute {

namespace {

/// CUresult, as far as a person can do something about it or wants to know what it was (CUDA Driver API, "Data types").
struct Meaning {
    Status status;
    const char* what;
    const char* remedy;
};
constexpr std::array meanings{
    Meaning{2, "its memory is full", "Choose a smaller n, or end what else uses the GPU."},
    Meaning{46, "another process has it, or it is switched off", ""},
    Meaning{100, "there is no NVIDIA GPU", "Everything but timing, verifying and counters works without one."},
    Meaning{101, "there is no such GPU", ""},
    Meaning{209, "it was compiled for another GPU", "Choose an older one with --arch."},
    Meaning{214, "its memory reports an error that it cannot correct", "Restart the machine; the GPU may be broken."},
    Meaning{222, "the PTX is newer than the driver",
            "Update the NVIDIA driver, or name an older NVRTC with LANESCOPE_NVRTC."},
    Meaning{700, "the kernel accessed memory that is not its own", ""},
    Meaning{701, "a block needs more registers than there are", "Choose a smaller block."},
    Meaning{702, "the kernel ran for too long", ""},
    Meaning{710, "an assertion of the kernel failed", ""},
    Meaning{715, "the kernel executed what is no instruction", ""},
    Meaning{716, "the kernel accessed memory at an address that its width forbids", ""},
    Meaning{717, "the kernel used an address of another memory space", ""},
    Meaning{718, "the kernel jumped to where no code is", ""},
    Meaning{719, "the kernel was stopped by a fault of the hardware", ""},
    Meaning{720, "more blocks wait for each other than the GPU can hold at once", "Choose a smaller grid."},
    Meaning{802, "the GPU is not ready yet",
            "Wait a moment; where there are several, their fabric manager has to run."},
    Meaning{803, "driver and kernel module are of different versions",
            "Restart the machine, or reload the NVIDIA kernel module."},
    Meaning{999, "the GPU is lost", "Restart the machine, or reload the NVIDIA kernel module."},
};

}  // namespace

Result<Driver> Driver::load(const std::string& library) {
    // Never unloaded: the driver keeps threads of its own.
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        return fail(fmt::format("this machine has no NVIDIA driver ({} is not to be found)", library), {},
                    "On a machine with an NVIDIA GPU, install its driver; everything but timing, verifying and "
                    "counters works without one.");
    }
    Driver driver;
    std::string missing;
    const auto resolve = [&]<class F>(F*& function, const char* name) {
        function = reinterpret_cast<F*>(dlsym(handle, name));
        if (function == nullptr && missing.empty()) missing = name;
    };
    resolve(driver.init, "cuInit");
    resolve(driver.version, "cuDriverGetVersion");
    resolve(driver.error_string, "cuGetErrorString");
    resolve(driver.device_count, "cuDeviceGetCount");
    resolve(driver.device, "cuDeviceGet");
    resolve(driver.device_name, "cuDeviceGetName");
    resolve(driver.device_attribute, "cuDeviceGetAttribute");
    resolve(driver.device_memory, "cuDeviceTotalMem_v2");
    resolve(driver.retain_context, "cuDevicePrimaryCtxRetain");
    resolve(driver.release_context, "cuDevicePrimaryCtxRelease_v2");
    resolve(driver.use_context, "cuCtxSetCurrent");
    resolve(driver.synchronize, "cuCtxSynchronize");
    resolve(driver.load_module, "cuModuleLoadDataEx");
    resolve(driver.unload_module, "cuModuleUnload");
    resolve(driver.function, "cuModuleGetFunction");
    resolve(driver.set_function_attribute, "cuFuncSetAttribute");
    resolve(driver.variable, "cuModuleGetGlobal_v2");
    resolve(driver.allocate, "cuMemAlloc_v2");
    resolve(driver.release, "cuMemFree_v2");
    resolve(driver.to_device, "cuMemcpyHtoD_v2");
    resolve(driver.to_host, "cuMemcpyDtoH_v2");
    resolve(driver.copy, "cuMemcpyDtoDAsync_v2");
    resolve(driver.fill, "cuMemsetD8Async");
    resolve(driver.launch, "cuLaunchKernel");
    resolve(driver.launch_cooperative, "cuLaunchCooperativeKernel");
    resolve(driver.create_event, "cuEventCreate");
    resolve(driver.destroy_event, "cuEventDestroy_v2");
    resolve(driver.record_event, "cuEventRecord");
    resolve(driver.elapsed, "cuEventElapsedTime");
    if (!missing.empty()) {
        return fail(fmt::format("{} is no NVIDIA driver that can be used: it lacks {}", library, missing), {},
                    "Update the NVIDIA driver.");
    }
    if (const Status status = driver.init(0); status != 0)
        return std::unexpected(driver.problem("the NVIDIA driver does not start", status));
    return driver;
}

Problem Driver::problem(std::string what, Status status) const {
    const char* text = nullptr;
    if (error_string == nullptr || error_string(status, &text) != 0 || text == nullptr) text = "unknown error";
    const auto meaning = std::ranges::find(meanings, status, &Meaning::status);
    if (meaning == meanings.end())
        return Problem{.what = fmt::format("{}: {} ({})", what, text, status), .where = {}, .remedy = {}};
    return Problem{.what = fmt::format("{}: {} ({}, {})", what, meaning->what, text, status),
                   .where = {},
                   .remedy = meaning->remedy};
}

}  // namespace lanescope::execute
