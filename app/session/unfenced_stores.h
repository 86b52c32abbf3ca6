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

/// Whether the program may have such stores at all: its code has two stores that other blocks see.
[[nodiscard]] bool may_have_unfenced_stores(const Run& run);

/// The effect of such stores in a run without races whose result is not known to be wrong: found by running again, with
/// the value seen late.
struct UnfencedReport {
    std::optional<trace::Finding> finding;  ///< the result is then wrong by the CPU reference, or the kernel faults
    std::string note;  ///< the result then differs, and no reference says that it is wrong; or a guessed launch
                       ///< faults; or the run has more than `most_rerun` warp instructions. Empty: there are none, or
                       ///< they change nothing.
};
[[nodiscard]] UnfencedReport report_unfenced_stores(const Run& run, Progress& progress);
inline constexpr std::uint64_t most_rerun = 4'000'000;

}  // namespace lanescope::session
