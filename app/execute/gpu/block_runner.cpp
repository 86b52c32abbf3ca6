#include "execute/gpu/block_runner.h"

#include "execute/gpu/prepared.h"
#include "execute/gpu/program.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::execute {

namespace {

/// A part of the program's memory, and its place on the device.
struct Mirrored {
    std::span<std::byte> bytes;
    DeviceAddress there = 0;
};

Result<std::vector<Mirrored>> mirrored(const Prepared& prepared, const ptx::Module& module,
                                       const BlockRunner::Memory& memory) {
    std::vector<Mirrored> parts;
    for (std::uint32_t i = 0; i < memory.buffers.size(); ++i) {
        if (!prepared.uses(i)) continue;
        if (memory.buffers[i].empty()) return fail("an argument of a launch points to memory that the host has freed");
        parts.push_back({memory.buffers[i], prepared.address_of(i, 0)});
    }
    for (std::size_t i = 0; i < memory.variables.size(); ++i) {
        if (memory.variables[i].empty()) continue;
        const DeviceModule::Variable found = prepared.variable(module.variables[i].name);
        if (found.address == 0) continue;  // the driver's compiler has removed it
        if (found.bytes != memory.variables[i].size())
            return fail(fmt::format("the variable {} has a different size on the GPU", module.variables[i].name));
        parts.push_back({memory.variables[i], found.address});
    }
    return parts;
}

}  // namespace

Result<void> GpuBlockRunner::run(const ptx::Module& module, const trace::Trace& trace, const Memory& memory) {
    if (uses_) uses_(true);
    Result<void> done = run_last(module, trace, memory);
    if (uses_) uses_(false);
    if (!done && !failed_) failed_ = done.error();
    return done;
}

Result<void> GpuBlockRunner::run_last(const ptx::Module& module, const trace::Trace& trace,
                                      const Memory& memory) const {
    GpuProgram program{.ptx = module.text, .variables = {}, .buffers = {}, .launches = {}};
    program.launches.push_back(gpu_launch(trace, trace.launches.back()));
    for (std::size_t i = 0; i < memory.buffers.size(); ++i)
        program.buffers.push_back({.name = trace.buffers[i].name,
                                   .element = trace.buffers[i].element,
                                   .bytes = memory.buffers[i].size(),
                                   .period = {}});
    const auto prepared = Prepared::make(device_, program, Prepared::Copies::one);
    if (!prepared) return std::unexpected(prepared.error());
    const auto parts = mirrored(*prepared, module, memory);
    if (!parts) return std::unexpected(parts.error());

    const Driver& driver = device_.driver();
    Status status = 0;
    for (const Mirrored& part : *parts)
        if (status == 0) status = driver.to_device(part.there, part.bytes.data(), part.bytes.size());
    if (status != 0) return std::unexpected(driver.problem("copying to the GPU failed", status));
    if (const auto done = prepared->launch(0, 0); !done) return done;
    if (const auto done = device_.finish(); !done) return done;
    for (const Mirrored& part : *parts)
        if (status == 0) status = driver.to_host(part.bytes.data(), part.there, part.bytes.size());
    if (status != 0) return std::unexpected(driver.problem("copying from the GPU failed", status));
    return {};
}

}  // namespace lanescope::execute
