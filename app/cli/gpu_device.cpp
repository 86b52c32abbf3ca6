#include "cli/gpu_device.h"

#include "compile/compile.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

namespace lanescope::cli {

Result<std::unique_ptr<execute::Device>> open_gpu() {
    const char* given = std::getenv("LANESCOPE_DRIVER");
    const auto driver = given != nullptr && *given != '\0' ? execute::Driver::load(given) : execute::Driver::load();
    if (!driver) return std::unexpected(driver.error());
    auto device = execute::Device::open(*driver);
    if (!device) return device;
    const int cuda = (*device)->facts().cuda;
    const std::string newest = fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10);
    setenv("LANESCOPE_NEWEST_CUDA", newest.c_str(), 0);
    return device;
}

VerifiedOn verified_on(const execute::Device& device) {
    VerifiedOn on{.device = device.facts().name, .driver = device.facts().driver};
    if (const auto& compiler = compile::compiler())
        on.toolkit = fmt::format("NVRTC {}.{}", compiler->major, compiler->minor);
    on.date = fmt::format("{:%F}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
    return on;
}

}  // namespace lanescope::cli
