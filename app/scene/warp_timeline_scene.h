// timing::TimelineBlock -> shapes: when the warps of one block worked on a GPU and when they waited at barriers, a row
// for each warp, in cycles of the block's multiprocessor; with the part that the emulator has executed so far.
#pragma once

#include "analysis/panels/warp_places.h"
#include "scene/scene.h"
#include "timing/timeline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

struct WarpTimelineOptions {
    float width = 640, height = 0;            ///< points available; height 0: as high as it needs
    double zoom = 1;                          ///< of time: 1 shows the whole block
    double scroll_x = 0;                      ///< points scrolled away at the left; kept within bounds
    std::vector<analysis::WarpPlace> places;  ///< of the emulator's warps; empty: the recorded launch is not the run's
    std::optional<WarpId> followed;           ///< the warp of the current step
    std::string origin;                       ///< device, driver, toolkit, date
    std::string instead;                      ///< without places: how the run differs, "n = 16 instead of 524,288"
};

/// The scene's height where none is asked for. The block must have recorded warps.
[[nodiscard]] float warp_timeline_height(const timing::TimelineBlock& block);

/// The activity of a warp between two moments, in cycles after the first warp of its block began.
struct WarpPart {
    std::uint64_t from = 0, to = 0;
    analysis::WarpPlace place;
    bool mbarrier = false;  ///< where it waits, if it does
};
/// The warp's work and waits in turn, as far as they were kept. Where more waits were not kept, the last part is
/// unknown.
[[nodiscard]] std::vector<WarpPart> parts_of(const timing::TimelineWarp& warp);

/// References: lane (row = the warp, column = 2 x the waits before it, + 1 where it is a wait). Viewport 0: the bars.
[[nodiscard]] Scene warp_timeline_scene(const timing::Timeline& timeline, std::uint32_t launch, BlockId block,
                                        const WarpTimelineOptions& options);

}  // namespace lanescope::scene
