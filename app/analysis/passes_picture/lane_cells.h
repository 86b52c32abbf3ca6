// Values that are exchanged in registers: the value each thread holds while the lanes exchange them, as if every thread
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
    StepId at;                 ///< the step that made it; the exchange, for an older value that is used again
};

/// In the order of their steps. A thread's value is the one it gives to a shuffle or a reduction over the warp, and its
/// result from the value that the last exchange of a pass brought: the result of an operator, or the value itself where
/// the warp combines nothing. In a pass without an exchange it is the result of operators on the thread's value. Copies
/// represent their originals. Empty where no lanes exchange values.
[[nodiscard]] std::vector<LaneEvent> lane_events(const BlockView& block);

/// The value that this one is a copy of, through registers and parameters of functions; itself if it is none. A value
/// loaded from memory or received from another lane is not a copy.
[[nodiscard]] ValueId past_register_copies(const trace::Trace& trace, const Provenance& provenance, ValueId value);

}  // namespace lanescope::analysis
