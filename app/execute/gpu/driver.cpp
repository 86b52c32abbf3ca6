#include "execute/gpu/driver.h"

#include "base/shared_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::execute {

namespace {

/// CUresult (CUDA Driver API, "Data types used by CUDA driver"): its name there, its meaning, and the remedy.
struct Meaning {
    Status status;
    const char* name;  ///< without CUDA_ERROR_
    const char* what;
    const char* remedy;
};
constexpr const char* see_findings = "Run the kernel in the emulator: its findings name the thread and the line.";
constexpr std::array meanings{
    Meaning{2, "OUT_OF_MEMORY", "out of memory", "Choose a smaller n, or end other programs that use the GPU."},
    Meaning{46, "DEVICE_UNAVAILABLE", "device unavailable: another process uses it exclusively, or it is disabled",
            "End that process, or reset the compute mode with `nvidia-smi -c DEFAULT`."},
    Meaning{100, "NO_DEVICE", "there is no NVIDIA GPU", works_without_gpu},
    Meaning{101, "INVALID_DEVICE", "there is no such GPU", "`nvidia-smi -L` lists the GPUs."},
    Meaning{209, "NO_BINARY_FOR_GPU", "no binary for this GPU", "Choose an older architecture with --arch."},
    Meaning{214, "ECC_UNCORRECTABLE", "uncorrectable ECC error", "Restart the machine; the GPU may be broken."},
    Meaning{222, "UNSUPPORTED_PTX_VERSION", "the PTX is newer than the driver",
            "Update the NVIDIA driver, or name an older NVRTC with LANESCOPE_NVRTC."},
    Meaning{700, "ILLEGAL_ADDRESS", "illegal address", see_findings},
    Meaning{701, "LAUNCH_OUT_OF_RESOURCES", "a block needs more registers than a multiprocessor has",
            "Choose a smaller block."},
    Meaning{702, "LAUNCH_TIMEOUT", "the kernel ran longer than the display driver allows", "Choose a smaller n."},
    Meaning{710, "ASSERT", "device-side assertion failed", see_findings},
    Meaning{715, "ILLEGAL_INSTRUCTION", "illegal instruction", see_findings},
    Meaning{716, "MISALIGNED_ADDRESS", "misaligned address", see_findings},
    Meaning{717, "INVALID_ADDRESS_SPACE", "invalid address space", see_findings},
    Meaning{718, "INVALID_PC", "invalid program counter", see_findings},
    Meaning{719, "LAUNCH_FAILED", "the launch failed", see_findings},
    Meaning{720, "COOPERATIVE_LAUNCH_TOO_LARGE", "the cooperative launch has more blocks than fit on the GPU at once",
            "Choose a smaller grid."},
    Meaning{802, "SYSTEM_NOT_READY", "the GPU is not ready yet",
            "Wait a moment; a machine with several GPUs also needs its fabric manager running."},
    Meaning{803, "SYSTEM_DRIVER_MISMATCH", "the driver and the kernel module have different versions",
            "Restart the machine, or reload the NVIDIA kernel module."},
    Meaning{999, "UNKNOWN", "the GPU is lost", "Restart the machine, or reload the NVIDIA kernel module."},
};

}  // namespace

Result<Driver> Driver::load(const std::string& library) {
    SharedLibrary nvidia(library);
    if (!nvidia.is_loaded()) {
        return fail(fmt::format("this machine has no NVIDIA driver ({} not found)", library), {},
                    fmt::format("On a machine with an NVIDIA GPU, install its driver. {}", works_without_gpu));
    }
    Driver driver;
    nvidia.resolve(driver.init, "cuInit");
    nvidia.resolve(driver.version, "cuDriverGetVersion");
    nvidia.resolve(driver.error_string, "cuGetErrorString");
    nvidia.resolve(driver.device_count, "cuDeviceGetCount");
    nvidia.resolve(driver.device, "cuDeviceGet");
    nvidia.resolve(driver.device_name, "cuDeviceGetName");
    nvidia.resolve(driver.device_attribute, "cuDeviceGetAttribute");
    nvidia.resolve(driver.device_memory, "cuDeviceTotalMem_v2");
    nvidia.resolve(driver.retain_context, "cuDevicePrimaryCtxRetain");
    nvidia.resolve(driver.release_context, "cuDevicePrimaryCtxRelease_v2");
    nvidia.resolve(driver.use_context, "cuCtxSetCurrent");
    nvidia.resolve(driver.synchronize, "cuCtxSynchronize");
    nvidia.resolve(driver.load_module, "cuModuleLoadDataEx");
    nvidia.resolve(driver.unload_module, "cuModuleUnload");
    nvidia.resolve(driver.function, "cuModuleGetFunction");
    nvidia.resolve(driver.set_function_attribute, "cuFuncSetAttribute");
    nvidia.resolve(driver.variable, "cuModuleGetGlobal_v2");
    nvidia.resolve(driver.allocate, "cuMemAlloc_v2");
    nvidia.resolve(driver.release, "cuMemFree_v2");
    nvidia.resolve(driver.to_device, "cuMemcpyHtoD_v2");
    nvidia.resolve(driver.to_host, "cuMemcpyDtoH_v2");
    nvidia.resolve(driver.copy, "cuMemcpyDtoDAsync_v2");
    nvidia.resolve(driver.fill, "cuMemsetD8Async");
    nvidia.resolve(driver.launch, "cuLaunchKernel");
    nvidia.resolve(driver.launch_cooperative, "cuLaunchCooperativeKernel");
    nvidia.resolve(driver.create_event, "cuEventCreate");
    nvidia.resolve(driver.destroy_event, "cuEventDestroy_v2");
    nvidia.resolve(driver.record_event, "cuEventRecord");
    nvidia.resolve(driver.elapsed, "cuEventElapsedTime");
    if (const std::string& missing = nvidia.missing(); !missing.empty()) {
        return fail(fmt::format("{} is not a usable NVIDIA driver: the function {} is missing", library, missing), {},
                    "Update the NVIDIA driver.");
    }
    if (const Status status = driver.init(0); status != 0)
        return std::unexpected(driver.problem("the NVIDIA driver does not start", status));
    return driver;
}

Problem Driver::problem(std::string what, Status status) const {
    const auto meaning = std::ranges::find(meanings, status, &Meaning::status);
    if (meaning != meanings.end()) {
        return Problem{.what = fmt::format("{}: {} (CUDA_ERROR_{})", what, meaning->what, meaning->name),
                       .where = {},
                       .remedy = meaning->remedy};
    }
    const char* text = nullptr;
    if (error_string == nullptr || error_string(status, &text) != 0 || text == nullptr) text = "unknown error";
    return Problem{.what = fmt::format("{}: {} (CUresult {})", what, text, status), .where = {}, .remedy = {}};
}

}  // namespace lanescope::execute
