// Which lanes work in a pass: for each warp of the block, the lanes whose results reach an output, the other executing
// lanes, and the lanes that do not execute. The Warps panel draws it.
#pragma once

#include "analysis/block_view.h"

#include <cstdint>
#include <vector>

namespace lanescope::analysis {

/// One warp in one pass. The masks are disjoint, and together the warp's threads.
struct WarpRow {
    WarpId warp;
    LaneMask threads;  ///< that the launch has
    LaneMask useful;   ///< they loaded, combined, stored or passed on values that reach an output
    LaneMask unknown;  ///< those of the useful ones whose use is not known (Provenance::unknown_use)
    LaneMask decided;  ///< indices and conditions that serve an output are all they computed: they skip the pass
    LaneMask ran;      ///< they executed, but no value that they loaded, combined or stored reaches an output
    LaneMask masked;   ///< they executed nothing: predicated off or waiting to reconverge
    LaneMask exited;   ///< exited before the pass
    std::uint64_t warp_instructions = 0;
    std::uint64_t useful_lanes = 0;  ///< summed over the instructions
    bool use_known = true;           ///< of all of them
    /// As percent_of_lanes() has it; 0 where the warp ran nothing.
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

/// The same for every pass of the block, in one walk. By pass.
[[nodiscard]] std::vector<WarpPicture> warp_pictures(const BlockView& block);

}  // namespace lanescope::analysis
