// A run -> the message from block to block that no fence orders: a thread stores a value, then a flag, both so that
// they are no data race (volatile, relaxed, atomic), and a thread of another block reads the flag and then the value.
// Without a fence between the two stores, and one between the two reads, it may find an older value (PTX ISA 8.9); a
// fence of block scope is none for another block. No race detector reports it; whether it matters, a run shows in which
// the first store is seen late, or the read returns an old value.
#pragma once

#include "base/progress.h"
#include "session/run.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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
    LaneAccess flag_read;    ///< by a thread of another block
    LaneAccess read;         ///< of the value, by that thread or one that has met it at a barrier since
    bool stores_ordered = false, reads_ordered = false;  ///< by fences that reach other blocks; not both
};

/// Those of the recorded blocks, each pair of lines once, and so many at most. A block barrier carries a store, and
/// what was seen, to the other threads of the block; a fence of either storing thread between the two stores orders
/// them, as one of the reading threads orders the reads.
inline constexpr std::size_t most_unfenced = 6;
[[nodiscard]] std::vector<UnfencedStores> unfenced_stores(const Run& run);

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
