#include "execute/gpu/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace lanescope::execute {

Result<Driver> Driver::load(const std::string& library) {
    // Never unloaded: the driver keeps threads of its own.
    void* const handle = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
        return fail(fmt::format("this machine has no NVIDIA driver ({} is not to be found)", library), {},
                    "On a machine with an NVIDIA GPU, install its driver; everything but timing works without one.");
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
    return Problem{.what = fmt::format("{}: {} ({})", what, text, status), .where = {}, .remedy = {}};
}

}  // namespace lanescope::execute
