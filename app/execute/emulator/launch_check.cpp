#include "execute/emulator/launch_check.h"

#include "base/demangle.h"
#include "base/grouped.h"
#include "model/device_limits.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <vector>

namespace lanescope::execute {

namespace {

bool within(const trace::Dim3& dimensions, const std::array<std::uint32_t, 3>& largest) {
    return dimensions.x <= largest[0] && dimensions.y <= largest[1] && dimensions.z <= largest[2];
}

std::string text_of(const trace::Dim3& dimensions) {
    if (dimensions.y == 1 && dimensions.z == 1) return fmt::format("{}", dimensions.x);
    return fmt::format("({}, {}, {})", dimensions.x, dimensions.y, dimensions.z);
}

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
    return fail(fmt::format("the kernel {} declares {} bytes of __shared__ arrays; the limit is {} (ptxas: too much "
                            "shared data, {:#x} bytes, {:#x} max)",
                            demangled(kernel.name).value_or(kernel.name), grouped(kernel.shared_bytes),
                            grouped(device.static_shared_bytes), kernel.shared_bytes, device.static_shared_bytes),
                {},
                fmt::format("An extern __shared__ array, sized by the launch, may have up to {} KB.",
                            device.shared_bytes_per_block / 1024));
}

Result<void> check_arguments(const ptx::Function& kernel, const LaunchRequest& request, std::size_t buffers) {
    if (request.arguments.size() != kernel.parameters.size()) {
        return fail(fmt::format("the kernel {} takes {} arguments, and the launch passes {}", kernel.name,
                                kernel.parameters.size(), request.arguments.size()));
    }
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
        const trace::Argument& argument = request.arguments[i];
        if (argument.buffer && *argument.buffer >= buffers) {
            return fail(fmt::format("argument {} ({}) names a buffer that does not exist", i + 1, argument.name));
        }
        const std::uint64_t given = argument.buffer ? sizeof(std::uint64_t) : argument.value.size();
        if (given != kernel.parameters[i].bytes) {
            return fail(fmt::format("argument {} ({}) has {} bytes, the parameter has {}", i + 1, argument.name, given,
                                    kernel.parameters[i].bytes));
        }
    }
    return {};
}

}  // namespace

Result<void> check_size(const ptx::Function& kernel, const LaunchRequest& request, const model::DeviceLimits& device) {
    const trace::Dim3& block = request.block;
    if (block.count() == 0) return fail("a block has no threads", {}, "Give each dimension at least 1.");
    if (block.count() > device.threads_per_block || !within(block, device.block)) {
        return fail(
            fmt::format("the block size {} is larger than {}", text_of(block), grouped(device.threads_per_block)), {},
            fmt::format("A block has at most {} threads, and {} in z.", grouped(device.threads_per_block),
                        device.block[2]));
    }
    if (request.grid.count() == 0) return fail("the grid has no blocks", {}, "Give each dimension at least 1.");
    if (!within(request.grid, device.grid) || request.grid.count() > device.grid[0]) {
        return fail(fmt::format("the grid {} is too large", text_of(request.grid)), {},
                    fmt::format("A grid has at most {} blocks in x, {} in y and {} in z.", grouped(device.grid[0]),
                                grouped(device.grid[1]), grouped(device.grid[2])));
    }
    const trace::Dim3 required{kernel.required_block[0], kernel.required_block[1], kernel.required_block[2]};
    if (required.count() != 0 && required != block) {
        return fail(fmt::format("the kernel {} requires blocks of {}, not of {}", kernel.name, text_of(required),
                                text_of(block)));
    }
    if (const std::uint64_t declared = kernel.most_threads(); declared != 0 && block.count() > declared) {
        return fail(
            fmt::format("the kernel {} is compiled for at most {} threads a block, and the block has {}",
                        demangled(kernel.name).value_or(kernel.name), grouped(declared), grouped(block.count())),
            {}, "Its __launch_bounds__ sets this limit; the hardware refuses the launch, too.");
    }
    const std::uint64_t shared = kernel.dynamic_shared_offset + request.dynamic_shared_bytes;
    const std::uint64_t most = device.shared_bytes_per_block;
    if (shared > most || request.dynamic_shared_bytes > most) {
        return fail(
            fmt::format("a block needs {} bytes of shared memory, including {} static bytes",
                        grouped(kernel.shared_bytes + request.dynamic_shared_bytes), grouped(kernel.shared_bytes)),
            {}, fmt::format("A block has at most {} bytes.", grouped(most)));
    }
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
