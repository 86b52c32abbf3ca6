// The special registers that an execution fixes when a block starts, as rows of a warp. PTX ISA 10.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/machine.h"
#include "trace/trace.h"

namespace lanescope::execute {

/// The special registers that depend on the launch, other than its dimensions.
struct LaunchPlaces {
    std::uint64_t dynamic_shared_bytes = 0;
    std::uint64_t reserved_shared = 0;  ///< start of the part of shared memory that CUDA reserves
    std::uint64_t workspace = 0;        ///< address of the workspace of grid.sync()
};

/// Writes the rows of `code.specials` for this warp: those that differ from block to block, or those that do not.
void write_special_registers(const Code& code, const trace::Dim3& grid, const trace::Dim3& block_size,
                             const LaunchPlaces& places, const Block& block, Warp& warp, bool of_block);

}  // namespace lanescope::execute
