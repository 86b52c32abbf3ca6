// analysis::WarpPicture -> shapes: the Warps panel. A row is a warp, a square a lane; how it worked in the pass differs by
// shape as well as by colour.
#pragma once

#include "analysis/warp_picture.h"
#include "scene/scene.h"

#include <optional>

namespace lanescope::scene {

/// The instruction that executes next, as one more row.
struct NextInstruction {
    WarpId warp;
    LaneMask executed, predicated_off, inactive, exited;
};

struct WarpsOptions {
    float width = 480, height = 320;  ///< points available; height 0: as high as it needs
    std::optional<NextInstruction> next;
    float scale = 1;  ///< text size
};

/// References: lane (row = warp, column = lane in it).
[[nodiscard]] Scene warps_scene(const analysis::WarpPicture& picture, const WarpsOptions& options);

}  // namespace lanescope::scene
