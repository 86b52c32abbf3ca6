// Which lanes work in a pass: for each warp of the block, the lanes whose results reach an output, the other executing
// lanes, and the lanes that do not execute. The Warps panel draws it.
#pragma once

#include "analysis/block_view.h"

#include <cstdint>
#include <vector>

namespace lanescope::analysis {

/// One warp in one pass. The masks are disjoint; together they are the warp's threads.
struct WarpRow {
    WarpId warp;
    LaneMask threads;  ///< lanes that have a thread
    LaneMask useful;   ///< lanes that loaded, combined, stored or passed on values that reach an output
    LaneMask unknown;  ///< the part of `useful` whose use is not known (Provenance::unknown_use)
    LaneMask decided;  ///< lanes that only computed indices and conditions that serve an output: they skip the pass
    LaneMask ran;      ///< lanes that executed, but no value that they loaded, combined or stored reaches an output
    LaneMask masked;   ///< lanes that executed nothing: predicated off or waiting to reconverge
    LaneMask exited;   ///< lanes that exited before the pass
    std::uint64_t warp_instructions = 0;
    std::uint64_t useful_lanes = 0;  ///< summed over the instructions
    bool use_known = true;           ///< the use of all these lanes is known
    /// As percent_of_lanes(), but 0 where the warp executed nothing.
    [[nodiscard]] double efficiency_percent() const;
};

/// All warps of the block together.
struct WarpTotals {
    unsigned useful = 0, threads = 0;
    std::uint64_t warp_instructions = 0, useful_lanes = 0;
    bool use_known = true;
    /// As WarpRow::efficiency_percent().
    [[nodiscard]] double efficiency_percent() const;
};

struct WarpPicture {
    std::vector<WarpRow> rows;  ///< by warp
    [[nodiscard]] WarpTotals totals() const;
};

[[nodiscard]] WarpPicture warp_picture(const BlockView& block, PassId pass);

/// The pictures of all passes of the block, by pass, in one walk.
[[nodiscard]] std::vector<WarpPicture> warp_pictures(const BlockView& block);

}  // namespace lanescope::analysis
