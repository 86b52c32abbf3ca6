// Shared by the pictures of the panels Banks and Sectors: their options, the enlargement in a large panel, the look of
// a cell while the turns of an access (wavefronts, sectors) are shown one by one, and the text where there is no
// access.
#pragma once

#include "base/lane_mask.h"
#include "scene/scene.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::scene {

struct AccessOptions {
    float width = 480, height = 320;             ///< points available; height 0: as high as it needs
    std::optional<unsigned> turn;                ///< the wavefront or sector shown; nothing: all at once
    float scale = 1;                             ///< text size
    std::size_t first_row = 0;                   ///< scroll position, where not all rows have room
    std::optional<std::uint64_t> selected = {};  ///< a word of the block's shared memory, for Banks
};

/// The enlargement in a large panel, because a lecture shows one panel to a hall. `width`, `height`: of the picture at
/// its usual size and `options.scale`.
[[nodiscard]] float enlargement(const AccessOptions& options, float width, float height);

/// The lane's number; "3×" for three lanes.
[[nodiscard]] std::string name_of_lanes(LaneMask lanes);

/// A cell that lanes access. Where no turn is chosen, all lanes are served.
struct TurnOfCell {
    bool served = true;   ///< in the turn shown
    bool waits = false;   ///< for a later turn
    bool shared = false;  ///< lanes wait for each other there: drawn in the color of a cost
};
struct LookOfCell {
    bool filled = false;
    Paint fill, stroke, ink;
};
/// `outlined`: cells have outlines; otherwise their color is stronger.
[[nodiscard]] LookOfCell look_of(const TurnOfCell& cell, const AccessOptions& options, bool outlined);

enum class NoAccess : std::uint8_t { so_far, in_pass, in_launch };
/// The panel of shared memory (Banks) or of global memory (Sectors) where there is no access.
[[nodiscard]] Scene no_access_scene(trace::Space space, const AccessOptions& options,
                                    NoAccess where = NoAccess::so_far);

}  // namespace lanescope::scene
