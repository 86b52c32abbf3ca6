// A position of a block -> the access of one memory space that a panel shows there.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanescope::analysis {

/// The step's first load, store or atomic of that space with a lane; null without one.
[[nodiscard]] const trace::Effect* access_in(const trace::Trace& trace, const trace::Step& step, trace::Space space);

/// The access to show at a position. Of the warp: the step that executes next if it is one, otherwise the next one in
/// the pass, otherwise the last one before it in the pass. Failing that, the same of any warp; failing that, the last
/// one before the pass. Positions and result are numbers in passes.steps.
[[nodiscard]] std::optional<std::size_t> access_near(const BlockView& block, std::size_t position, WarpId warp,
                                                     trace::Space space);

/// Does the launch access that space in any recorded block?
[[nodiscard]] bool launch_accesses(const trace::Trace& trace, std::uint32_t launch, trace::Space space);

}  // namespace lanescope::analysis
