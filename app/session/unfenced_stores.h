// A run -> the message from block to block that no fence orders: a thread stores a value, then a flag, both so that
// they are no data race (volatile, relaxed, atomic), and a thread of another block reads the flag and then the value.
// Without a fence between the two stores it may see the flag first, and an older value (PTX ISA 8.9). No race detector
// reports it; whether it matters, a run shows in which the first store is seen late.
#pragma once

#include "base/progress.h"
#include "session/run.h"

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::session {

/// One lane of a step that accesses global memory.
struct LaneAccess {
    StepId step;
    unsigned lane = 0;
    std::uint64_t address = 0;
    unsigned bytes = 0;
};

struct UnfencedStores {
    LaneAccess value, flag;  ///< the stores, by threads of one block, in this order
    LaneAccess read;         ///< of the value, by a thread of another block that has seen the flag
};

/// The first among the recorded blocks. A block barrier carries a store, and what was seen, to the other threads of the
/// block; a fence of either storing thread between the two stores orders them.
[[nodiscard]] std::optional<UnfencedStores> first_unfenced_stores(const Run& run);

/// A sentence about them, for a run without races whose result is not known to be wrong, and how the result changes if
/// the value is seen late: found by running again, so nothing where the run has more than `most_rerun` warp
/// instructions, but what to do. Empty: there are none, or they change nothing.
[[nodiscard]] std::string unfenced_stores_text(const Run& run, Progress& progress);
inline constexpr std::uint64_t most_rerun = 4'000'000;

}  // namespace lanescope::session
