// An engine that may run the blocks of a launch in the emulator's place.
#pragma once

#include "base/result.h"
#include "ptx/module.h"
#include "trace/trace.h"

#include <cstddef>
#include <span>
#include <vector>

namespace lanescope::execute {

/// Runs the blocks of launches in the emulator's place, on the same memory: a GPU.
class BlockRunner {
  public:
    BlockRunner() = default;
    BlockRunner(const BlockRunner&) = delete;
    BlockRunner& operator=(const BlockRunner&) = delete;
    virtual ~BlockRunner() = default;

    /// The memory that the launch reads and writes.
    struct Memory {
        std::vector<std::span<std::byte>> buffers;    ///< by index in Trace::buffers; empty: the host has freed it
        std::vector<std::span<std::byte>> variables;  ///< by index in ptx::Module::variables; empty: in another space
    };
    /// Runs the last launch of the trace. Afterwards `memory` holds what the launch has written.
    [[nodiscard]] virtual Result<void> run(const ptx::Module& module, const trace::Trace& trace,
                                           const Memory& memory) = 0;
};

}  // namespace lanescope::execute
