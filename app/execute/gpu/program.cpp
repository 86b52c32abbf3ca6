#include "execute/gpu/program.h"

#include "ptx/reached.h"

#include <cstring>

namespace lanescope::execute {

namespace {

/// The pointers in a structure passed by value: the words that are emulated addresses of a buffer.
std::vector<GpuArgument::Pointer> pointers_in(const trace::Trace& trace, const std::vector<std::byte>& value) {
    std::vector<GpuArgument::Pointer> pointers;
    std::uint64_t word = 0;
    for (std::size_t at = 0; at + sizeof word <= value.size(); at += sizeof word) {
        std::memcpy(&word, value.data() + at, sizeof word);
        const trace::Buffer* const buffer = trace.buffer_at(word);
        if (buffer != nullptr)
            pointers.push_back({.at = at,
                                .buffer = static_cast<std::uint32_t>(buffer - trace.buffers.data()),
                                .offset = word - buffer->address});
    }
    return pointers;
}

}  // namespace

GpuLaunch gpu_launch(const trace::Trace& trace, const trace::Launch& launch) {
    GpuLaunch wanted{.kernel = launch.kernel,
                     .grid = launch.grid,
                     .block = launch.block,
                     .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                     .arguments = {},
                     .writes = {}};
    for (const trace::Argument& argument : launch.arguments) {
        GpuArgument& given = wanted.arguments.emplace_back();
        given.buffer = argument.buffer;
        given.value = argument.value;
        if (!argument.buffer) {
            given.pointers = pointers_in(trace, given.value);
            continue;
        }
        std::uint64_t address = 0;
        std::memcpy(&address, argument.value.data(), sizeof address);
        given.offset = address - trace.buffers[*argument.buffer].address;
    }
    return wanted;
}

GpuProgram gpu_program(const trace::Trace& trace, const ptx::Module& module) {
    GpuProgram program{
        .ptx = trace.origin.ptx, .variables = ptx::variables_in_use(module), .buffers = {}, .launches = {}};
    for (const trace::Buffer& buffer : trace.buffers) {
        program.buffers.push_back({.name = buffer.name,
                                   .element = buffer.element,
                                   .bytes = buffer.bytes,
                                   .period = {buffer.initial.begin(), buffer.initial.end()},
                                   .filled = buffer.bytes,
                                   .written = buffer.initial != buffer.final,
                                   .result = true});
    }
    for (const trace::Launch& launch : trace.launches) program.launches.push_back(gpu_launch(trace, launch));
    for (const trace::HostWrite& write : trace.host_writes) {
        if (trace.is_after_launches(write)) continue;
        program.launches[write.launch].writes.push_back(
            {.buffer = write.buffer, .offset = write.offset, .bytes = write.after});
        program.buffers[write.buffer].written = true;
    }
    return program;
}

}  // namespace lanescope::execute
