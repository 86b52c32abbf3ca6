// Whether the loops of a kernel are controlled by registers alone, or by memory as well. A loop whose branches,
// barriers and addresses follow from a few registers is without end once these repeat, whatever else it computes and
// writes.
#pragma once

#include "execute/emulator/code.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

struct LoopControl {
    /// Nothing that a loop of the kernel reads from memory, or gets from a function called, decides where it leads or
    /// which addresses it accesses. False where that is not known.
    bool by_registers = false;
    std::vector<RowSpan> rows;  ///< `by_registers`: those that decide and that loops write
};
[[nodiscard]] LoopControl loop_control_of(const Code& code);

/// By Pc: the loop, numbered from 1, that holds it and that no path leaves; 0: there is none, or it is not known, since
/// the kernel calls functions.
[[nodiscard]] std::vector<std::uint32_t> loops_without_exit(const Code& code);

}  // namespace lanescope::execute
