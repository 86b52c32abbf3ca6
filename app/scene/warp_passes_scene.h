// The lanes that work in every pass of a block, as shapes: the Warps panel. A row is a pass, a column a thread, warp
// beside warp.
#pragma once

#include "analysis/panels/warp_picture.h"
#include "analysis/passes/passes.h"
#include "scene/scene.h"

#include <cstddef>
#include <optional>
#include <span>

namespace lanescope::scene {

struct WarpPassesOptions {
    float width = 480,
          height = 320;  ///< points available; it grows beyond where rows need it. height 0: as high as it needs
    std::optional<std::size_t> pass;  ///< the one at the cursor
    std::optional<WarpId> warp;       ///< chosen, and of it a lane
    std::optional<unsigned> lane;
    float scale = 1;  ///< text size
};

/// `pictures`: of `passes`, by pass. Warps without room side by side are below each other. References: lane (row =
/// pass, column = thread of the block, span = threads that a box represents), row (row = pass).
[[nodiscard]] Scene warp_passes_scene(std::span<const analysis::WarpPicture> pictures,
                                      const analysis::BlockPasses& passes, const WarpPassesOptions& options);

}  // namespace lanescope::scene
