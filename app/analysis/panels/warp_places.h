// How far each warp of a block has come, counted in waits at barriers: what a recording of the same launch on a GPU,
// which stamps these waits, can be asked about.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::analysis {

/// Waits are those at block barriers that all lanes of a warp meet together, and at mbarriers those whose phase was
/// found complete.
struct WarpPlace {
    std::uint64_t waits = 0;  ///< completed
    bool waiting = false;     ///< at the next one
    friend bool operator==(const WarpPlace&, const WarpPlace&) = default;
};

/// The place of each warp of the block, before its step number `index` of BlockPasses::steps.
[[nodiscard]] std::vector<WarpPlace> warp_places(const BlockView& block, std::size_t index);

/// After which steps of the block the warp is in that place for the first time: their number. Nothing where it never
/// is.
[[nodiscard]] std::optional<std::size_t> step_in_place(const BlockView& block, WarpId warp, const WarpPlace& place);

}  // namespace lanescope::analysis
