#include "execute/emulator/launch_check.h"

#include "base/demangle.h"
#include "base/grouped.h"
#include "model/device_limits.h"
#include "model/launch_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

namespace lanescope::execute {

namespace {

/// Blocks are numbered in 31 bits.
constexpr std::uint64_t most_numbered_blocks = 0x7FFF'FFFF;

Result<const ptx::Function*> find_kernel(const ptx::Module& module, const std::string& name) {
    const ptx::Function* kernel = module.find(name);
    if (kernel != nullptr && kernel->entry) return kernel;
    std::vector<std::string> names;
    for (const ptx::Function* entry : module.entries()) names.push_back(entry->name);
    return fail(fmt::format("there is no kernel {}", name), {},
                names.empty() ? "The PTX has no kernel." : fmt::format("It has {}.", fmt::join(names, ", ")));
}

Result<void> check_arrays(const ptx::Function& kernel) {
    const model::DeviceLimits& device = model::emulated_device();
    if (kernel.shared_bytes <= device.static_shared_bytes) return {};
    return fail(fmt::format("the kernel {} declares {} of __shared__ arrays; the limit is {} (ptxas: too much "
                            "shared data, {:#x} bytes, {:#x} max)",
                            demangled(kernel.name).value_or(kernel.name), counted(kernel.shared_bytes, "byte"),
                            grouped(device.static_shared_bytes), kernel.shared_bytes, device.static_shared_bytes),
                {},
                fmt::format("An extern __shared__ array, sized by the launch, may have up to {} KB.",
                            device.shared_bytes_per_block / 1024));
}

Result<void> check_arguments(const ptx::Function& kernel, const LaunchRequest& request, std::size_t buffers) {
    if (request.arguments.size() != kernel.parameters.size()) {
        return fail(fmt::format("the kernel {} takes {}, and the launch passes {}", kernel.name,
                                counted(kernel.parameters.size(), "argument"), request.arguments.size()));
    }
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        const trace::Argument& argument = request.arguments[i];
        if (argument.buffer && *argument.buffer >= buffers) {
            return fail(fmt::format("argument {} ({}) names a buffer that does not exist", i + 1, argument.name));
        }
        const std::uint64_t given = argument.buffer ? sizeof(std::uint64_t) : argument.value.size();
        if (given != kernel.parameters[i].bytes) {
            return fail(fmt::format("argument {} ({}) has {}, the parameter has {}", i + 1, argument.name,
                                    counted(given, "byte"), kernel.parameters[i].bytes));
        }
    }
    return {};
}

}  // namespace

Result<void> check_size(const ptx::Function& kernel, const LaunchRequest& request, const model::DeviceLimits& device) {
    const trace::Dim3& block = request.block;
    // The limit of a GPU that the launch asks for is reported with that GPU's name.
    const auto refuse = [&](const model::LaunchExcess& excess) {
        const auto gpus = model::gpu_models();
        const auto asked = std::ranges::find(gpus, device.capability, &model::GpuModel::capability);
        const bool usual = asked == gpus.end() || device.capability == model::emulated_device().capability;
        return fail(excess.what, {}, usual ? excess.remedy() : fmt::format("On a {}, {}.", asked->name, excess.limit));
    };
    if (const auto excess = model::block_excess(block.sides(), device.threads_per_block, device.block))
        return refuse(*excess);
    if (const auto excess = model::grid_excess(request.grid.sides(), device.grid)) return refuse(*excess);
    if (const auto excess = model::emulated_grid_excess(model::text_of(request.grid.sides()), request.grid.count(),
                                                        most_numbered_blocks))
        return refuse(*excess);
    const trace::Dim3 required{kernel.required_block[0], kernel.required_block[1], kernel.required_block[2]};
    if (required.count() != 0 && required != block) {
        return fail(fmt::format("the kernel {} requires blocks of {} {}, not of {}", kernel.name,
                                model::text_of(required.sides()), noun(required.count(), "thread"),
                                model::text_of(block.sides())));
    }
    if (const auto excess = model::launch_bounds_excess(block.count(), kernel.most_threads())) return refuse(*excess);
    // Dynamic shared memory begins at a multiple of its alignment.
    const std::uint64_t gap = kernel.dynamic_shared_offset - kernel.shared_bytes;
    if (const auto excess = model::shared_memory_excess(kernel.shared_bytes, gap + request.dynamic_shared_bytes,
                                                        device.shared_bytes_per_block))
        return refuse(*excess);
    return {};
}

Result<const ptx::Function*> check_launch(const ptx::Module& module, const LaunchRequest& request,
                                          const std::vector<trace::Buffer>& buffers) {
    const Result<const ptx::Function*> kernel = find_kernel(module, request.kernel);
    if (!kernel) return kernel;
    if (const Result<void> fits = check_size(**kernel, request); !fits) return std::unexpected(fits.error());
    if (const Result<void> fits = check_arrays(**kernel); !fits) return std::unexpected(fits.error());
    if (const Result<void> fits = check_arguments(**kernel, request, buffers.size()); !fits) {
        return std::unexpected(fits.error());
    }
    return kernel;
}

}  // namespace lanescope::execute
