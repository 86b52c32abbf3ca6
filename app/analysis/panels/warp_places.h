// How far each warp of a block has come, counted in waits at barriers. A recording of the same launch on a GPU stamps
// these waits and can be searched for the same place.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::analysis {

/// Counts waits at block barriers that all lanes of a warp reach together, and at mbarriers the waits whose phase was
/// found complete.
struct WarpPlace {
    std::uint64_t waits = 0;  ///< completed waits
    bool waiting = false;     ///< waiting at the next one
    friend bool operator==(const WarpPlace&, const WarpPlace&) = default;
};

/// The place of each warp of the block, before its step number `index` of BlockPasses::steps.
[[nodiscard]] std::vector<WarpPlace> warp_places(const BlockView& block, std::size_t index);

/// The number of the step of the block after which the warp is in that place for the first time. Nothing where it never
/// is.
[[nodiscard]] std::optional<std::size_t> step_in_place(const BlockView& block, WarpId warp, const WarpPlace& place);

}  // namespace lanescope::analysis
