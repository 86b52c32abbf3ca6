// Values that travel in registers: which value each thread holds while the lanes exchange them, as if every thread
// had a cell of its own.
#pragma once

#include "analysis/block_view.h"

#include <cstdint>
#include <vector>

namespace lanescope::analysis {

/// A thread's value changes.
struct LaneEvent {
    ValueId value;             ///< a register of the thread
    std::uint32_t thread = 0;  ///< linear in the block
    StepId at;                 ///< the step that made it; of an older value that is taken up again, the exchange
};

/// In the order of their steps. A thread's value is what it gives to a shuffle or a reduction over the warp, and what
/// it makes of what the last one of a pass brought: the result of an operator, or where the warp combines nothing the
/// brought value. In a pass without an exchange it is what operators make of the value that the thread holds. Copies
/// stand for what they copy. Empty where no lanes exchange values.
[[nodiscard]] std::vector<LaneEvent> lane_events(const BlockView& block);

/// The value that this one is a copy of, through registers and what functions are passed; itself if it is none. What
/// was read from memory or from another lane is a value of its own.
[[nodiscard]] ValueId past_register_copies(const trace::Trace& trace, const Provenance& provenance, ValueId value);

}  // namespace lanescope::analysis
