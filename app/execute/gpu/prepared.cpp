#include "execute/gpu/prepared.h"

#include "model/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace lanescope::execute {

namespace {

constexpr unsigned most_copies = 64;

/// The registers per thread with which the largest block of the program can be launched.
unsigned registers_that_fit(const Device& device, const GpuProgram& program) {
    const model::DeviceLimits limits = model::limits_of(device.facts().arch);
    std::uint64_t most_warps = 1;
    for (const GpuLaunch& launch : program.launches)
        most_warps = std::max(most_warps, (launch.block.count() + warp_size - 1) / warp_size);
    const std::uint64_t of_warp = limits.registers_per_block / most_warps / limits.register_unit * limits.register_unit;
    return std::clamp(static_cast<unsigned>(of_warp / warp_size), 16U, limits.registers_per_thread);
}

}  // namespace

Result<Prepared> Prepared::make(const Device& device, const GpuProgram& program, Copies copies) {
    auto module =
        DeviceModule::load(device, program.ptx, program.optimization,
                           program.instrumented ? std::optional(registers_that_fit(device, program)) : std::nullopt);
    if (!module) return std::unexpected(module.error());
    Prepared prepared(device, program, std::move(*module));
    // A grid barrier needs a cooperative launch (CUDA C++ Programming Guide, "Grid Synchronization"): an arrival in the
    // workspace that %envreg points to.
    const auto has = [&](std::string_view text) { return program.ptx.find(text) != std::string::npos; };
    prepared.cooperates_ = has("%envreg") && has(".release.gpu");
    Result<void> done = prepared.find_kernels();
    if (done) done = prepared.keep_variables();
    if (done) done = prepared.make_copies(copies);
    if (!done) return std::unexpected(done.error());
    return prepared;
}

Result<void> Prepared::find_kernels() {
    for (const GpuLaunch& launch : program_->launches) {
        const auto function = module_.kernel(launch.kernel, launch.dynamic_shared_bytes);
        if (!function) return std::unexpected(function.error());
        functions_.push_back(*function);
        for (const GpuArgument& argument : launch.arguments) {
            if (argument.buffer) used_.insert(*argument.buffer);
            for (const GpuArgument::Pointer& pointer : argument.pointers) used_.insert(pointer.buffer);
        }
    }
    return {};
}

/// __device__ variables keep their values from run to run, and __constant__ variables hold the values that the host
/// set.
Result<void> Prepared::keep_variables() {
    for (const ptx::Variable& variable : program_->variables) {
        if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
        const DeviceModule::Variable found = module_.variable(variable.name);
        if (found.address == 0 || !variable.relocations.empty()) continue;
        auto pristine = DeviceMemory::allocate(*device_, found.bytes);
        if (!pristine) return std::unexpected(pristine.error());
        std::vector<std::byte> bytes = variable.initial;
        bytes.resize(found.bytes);
        if (const auto done = pristine->write(bytes); !done) return done;
        variables_.push_back({found.address, found.bytes, std::move(*pristine)});
    }
    return {};
}

Result<void> Prepared::make_copies(Copies copies) {
    for (const std::uint32_t buffer : used_) bytes_ += program_->buffers[buffer].bytes;
    const std::uint64_t past_cache = device_->facts().past_cache_bytes() / (bytes_ + 1) + 1;
    const std::uint64_t room = device_->facts().memory_bytes / 2 / (bytes_ + 1);
    const std::uint64_t most = copies == Copies::one ? 1 : most_copies;
    copies_.resize(std::clamp<std::uint64_t>(std::min(past_cache, room), 1, most));
    for (std::uint32_t index = 0; index < program_->buffers.size(); ++index) {
        const GpuBuffer& buffer = program_->buffers[index];
        const bool used = used_.contains(index);
        const bool kept = used && buffer.written && buffer.filled > 0;
        auto pristine = DeviceMemory::allocate(*device_, kept ? buffer.bytes : 1);
        if (!pristine) return std::unexpected(pristine.error());
        if (kept) {
            if (const auto done = fill(*pristine, buffer); !done) return done;
        }
        pristine_.push_back(std::move(*pristine));
        for (std::vector<DeviceMemory>& copy : copies_) {
            auto memory = DeviceMemory::allocate(*device_, used ? buffer.bytes : 1);
            if (!memory) return std::unexpected(memory.error());
            if (used) {
                if (const auto done = fill(*memory, buffer); !done) return done;
            }
            copy.push_back(std::move(*memory));
        }
    }
    return {};
}

/// The period is copied once; the device repeats it, doubling the size each time.
Result<void> Prepared::fill(const DeviceMemory& memory, const GpuBuffer& buffer) const {
    const Driver& driver = device_->driver();
    const std::uint64_t first = std::min<std::uint64_t>(buffer.period.size(), buffer.filled);
    if (first > 0) {
        if (const auto done = memory.write(std::span(buffer.period).first(first)); !done) return done;
    }
    Status status = 0;
    for (std::uint64_t done = first; done > 0 && done < buffer.filled && status == 0;) {
        const std::uint64_t more = std::min(done, buffer.filled - done);
        status = driver.copy(memory.address() + done, memory.address(), more, nullptr);
        done += more;
    }
    if (status != 0) return std::unexpected(driver.problem("copying on the GPU failed", status));
    if (buffer.filled >= buffer.bytes) return {};
    return memory.fill(0, buffer.filled, buffer.bytes - buffer.filled);
}

Result<void> Prepared::restore(unsigned copy) const {
    const Driver& driver = device_->driver();
    for (const std::uint32_t index : used_) {
        const GpuBuffer& buffer = program_->buffers[index];
        if (!buffer.written || buffer.bytes == 0) continue;
        const DeviceAddress to = copies_[copy][index].address();
        const Status status = buffer.filled > 0 ? driver.copy(to, pristine_[index].address(), buffer.bytes, nullptr)
                                                : driver.fill(to, 0, buffer.bytes, nullptr);
        if (status != 0) return std::unexpected(driver.problem("the GPU's memory cannot be restored", status));
    }
    return restore_variables();
}

Result<void> Prepared::restore_variables() const {
    for (const Kept& variable : variables_) {
        const Status status = device_->driver().copy(variable.at, variable.pristine.address(), variable.bytes, nullptr);
        if (status != 0)
            return std::unexpected(device_->driver().problem("the GPU's memory cannot be restored", status));
    }
    return {};
}

Result<void> Prepared::launch(std::size_t index, unsigned copy) const {
    const GpuLaunch& launch = program_->launches[index];
    std::vector<std::vector<std::byte>> values;
    std::vector<void*> pointers;
    for (const GpuArgument& argument : launch.arguments) {
        values.push_back(argument.value);
        for (const GpuArgument::Pointer& pointer : argument.pointers) {
            const std::uint64_t address = copies_[copy][pointer.buffer].address() + pointer.offset;
            std::memcpy(values.back().data() + pointer.at, &address, sizeof address);
        }
        if (!argument.buffer) continue;
        const std::uint64_t address = copies_[copy][*argument.buffer].address() + argument.offset;
        values.back().resize(sizeof address);
        std::memcpy(values.back().data(), &address, sizeof address);
    }
    pointers.reserve(values.size());
    for (std::vector<std::byte>& value : values) pointers.push_back(value.data());
    const auto shared = static_cast<unsigned>(launch.dynamic_shared_bytes);
    const Driver& driver = device_->driver();
    const auto& [grid, block] = std::pair(launch.grid, launch.block);
    const Status status = cooperates_ ? driver.launch_cooperative(functions_[index], grid.x, grid.y, grid.z, block.x,
                                                                  block.y, block.z, shared, nullptr, pointers.data())
                                      : driver.launch(functions_[index], grid.x, grid.y, grid.z, block.x, block.y,
                                                      block.z, shared, nullptr, pointers.data(), nullptr);
    if (status != 0) return std::unexpected(driver.problem("the GPU rejects the launch", status));
    return {};
}

Result<void> Prepared::write(std::size_t index, unsigned copy) const {
    for (const GpuWrite& write : program_->launches[index].writes) {
        if (!used_.contains(write.buffer)) continue;
        const Status status = device_->driver().to_device(copies_[copy][write.buffer].address() + write.offset,
                                                          write.bytes.data(), write.bytes.size());
        if (status != 0) return std::unexpected(device_->driver().problem("copying to the GPU failed", status));
    }
    return {};
}

Result<std::vector<std::vector<std::byte>>> Prepared::results(unsigned copy) const {
    std::vector<std::vector<std::byte>> results(program_->buffers.size());
    for (const std::uint32_t index : used_) {
        const GpuBuffer& buffer = program_->buffers[index];
        if (!buffer.result) continue;
        auto bytes = copies_[copy][index].read(buffer.bytes);
        if (!bytes) return std::unexpected(bytes.error());
        results[index] = std::move(*bytes);
    }
    return results;
}

}  // namespace lanescope::execute
