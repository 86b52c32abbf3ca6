#include "cli/gpu_device.h"

#include "compile/compile.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdlib>

namespace lanescope::cli {

namespace {

/// A driver takes PTX of its own CUDA version and of older ones: a newer NVRTC is skipped. Fails where none is left;
/// the PTX that ships with the kernels is CUDA 13's.
Result<void> limit_compiler(const execute::DeviceFacts& facts) {
    constexpr int kept = 13000, oldest_compiler = 12040;
    const std::string newest = fmt::format("{}.{}", facts.cuda / 1000, facts.cuda % 1000 / 10);
    setenv("LANESCOPE_NEWEST_CUDA", newest.c_str(), 0);
    const auto& compiler = compile::compiler();
    if (compiler || facts.cuda >= kept) return {};
    const std::string update = "Update the NVIDIA driver: 580 or later takes PTX of CUDA 13";
    return fail(fmt::format("the driver supports CUDA {} and no newer PTX; {}", newest, compiler.error().what), {},
                facts.cuda < oldest_compiler
                    ? update + ", 550 or later that of CUDA 12.4, the oldest whose compiler Lanescope can use."
                    : fmt::format("{}. Or install an NVRTC of CUDA 12.4 to {}, and name it with LANESCOPE_NVRTC.",
                                  update, newest));
}

}  // namespace

Result<std::unique_ptr<execute::Device>> open_gpu() {
    const char* given = std::getenv("LANESCOPE_DRIVER");
    const auto driver = given != nullptr && *given != '\0' ? execute::Driver::load(given) : execute::Driver::load();
    if (!driver) return std::unexpected(driver.error());
    auto device = execute::Device::open(*driver);
    if (!device) return device;
    if (const auto limited = limit_compiler((*device)->facts()); !limited) return std::unexpected(limited.error());
    return device;
}

timing::RecordingHeader header_of(const execute::Device& device) {
    timing::RecordingHeader on{.device = device.facts().name, .driver = device.facts().driver};
    if (const auto& compiler = compile::compiler())
        on.toolkit = fmt::format("NVRTC {}.{}", compiler->major, compiler->minor);
    on.date = fmt::format("{:%F}", fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
    return on;
}

}  // namespace lanescope::cli
