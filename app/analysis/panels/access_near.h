// A position of a block -> the access of one memory space that a panel shows there.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanescope::analysis {

/// The step's first load, store or atomic of that space with a lane; null without one.
[[nodiscard]] const trace::Effect* access_in(const trace::Trace& trace, const trace::Step& step, trace::Space space);

/// The access for a position (a number in passes.steps): of the warp, the step that executes next if it is one,
/// otherwise the next one in the pass, otherwise the last one before in it; else the same of any warp; else the last
/// before the pass. The result is a number in passes.steps.
[[nodiscard]] std::optional<std::size_t> access_near(const BlockView& block, std::size_t position, WarpId warp,
                                                     trace::Space space);

/// Whether the launch accesses that space in any recorded block.
[[nodiscard]] bool launch_accesses(const trace::Trace& trace, std::uint32_t launch, trace::Space space);

}  // namespace lanescope::analysis
