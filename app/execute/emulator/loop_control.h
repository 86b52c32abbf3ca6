// What decides where the loops of a kernel lead: registers alone, or memory as well. A loop whose branches, barriers
// and addresses follow from a few registers is without end once these repeat, whatever else it computes and writes.
#pragma once

#include "execute/emulator/code.h"

#include <vector>

namespace lanescope::execute {

struct LoopControl {
    /// Nothing that a loop of the kernel reads from memory, or gets from a function called, decides where it leads or
    /// which addresses it accesses. False where that is not known.
    bool by_registers = false;
    std::vector<RowSpan> rows;  ///< `by_registers`: those that decide and that loops write
};
[[nodiscard]] LoopControl loop_control_of(const Code& code);

/// By Pc: whether no path through the kernel leads from there to an end of the thread, whatever the branches decide.
/// Empty: not known, since the kernel calls functions.
[[nodiscard]] std::vector<bool> places_without_end(const Code& code);

}  // namespace lanescope::execute
