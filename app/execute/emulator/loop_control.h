// Whether the loops of a kernel are controlled by registers alone, or by memory as well. A loop whose branches,
// barriers and addresses follow from a few registers is without end once these repeat, whatever else it computes and
// writes.
#pragma once

#include "execute/emulator/code.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

struct LoopControl {
    /// Nothing that a loop of the kernel reads from memory, or gets from a called function, decides where it leads or
    /// which addresses it accesses. False if that is not known.
    bool by_registers = false;
    std::vector<RowSpan> rows;  ///< `by_registers`: those that decide and that loops write
};
[[nodiscard]] LoopControl loop_control_of(const Code& code);

struct LoopsWithoutExit {
    std::vector<std::uint32_t> of;  ///< by Pc: the loop, numbered from 1, that no path leaves; 0: none, or not known
    std::vector<bool> called;       ///< by Pc: in a function that is called from within that loop alone
};
[[nodiscard]] LoopsWithoutExit loops_without_exit(const Code& code);

/// By Pc: whether it is in an outermost loop that does not count towards an exit, or in a function called from there. A
/// loop counts if it steps a register and compares it with a value that stays.
[[nodiscard]] std::vector<bool> loops_without_count(const Code& code);

}  // namespace lanescope::execute
