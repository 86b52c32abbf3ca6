#include "execute/emulator/rerun.h"

#include "execute/emulator/placement.h"

#include <algorithm>
#include <cassert>

namespace lanescope::execute {

Program rerun_of(const trace::Trace& trace, const ptx::Module& module) {
    Program program;
    program.origin = trace.origin;
    program.banks = model::BankModel::of(trace.origin.banks);
    // The module's variables follow the program's own buffers; the module creates them again.
    const auto variables = std::ranges::count_if(module.variables, &ptx::Variable::in_global_memory);
    assert(static_cast<std::size_t>(variables) <= trace.buffers.size());
    program.buffers.assign(trace.buffers.begin(), trace.buffers.end() - variables);
    for (trace::Buffer& buffer : program.buffers) buffer.final.clear();
    // At the same addresses: a program with host code has them apart from its buffers, and values may point to them.
    for (auto buffer = trace.buffers.end() - variables; buffer != trace.buffers.end(); ++buffer)
        program.variable_addresses.push_back(buffer->address);
    for (const trace::Launch& launch : trace.launches) {
        program.launches.push_back({.kernel = launch.kernel,
                                    .grid = launch.grid,
                                    .block = launch.block,
                                    .dynamic_shared_bytes = launch.dynamic_shared_bytes,
                                    .stack_bytes = launch.stack_bytes,
                                    .arguments = launch.arguments,
                                    .writes = {}});
    }
    for (const trace::HostWrite& write : trace.host_writes) {
        if (trace.is_after_launches(write)) continue;
        program.launches[write.launch].writes.push_back(
            {.buffer = write.buffer, .offset = write.offset, .bytes = write.after, .source_line = write.source_line});
    }
    return program;
}

}  // namespace lanescope::execute
