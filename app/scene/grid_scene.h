// analysis::GridPicture -> shapes: the Grid panel. Launches side by side on one clock, with the host's steps between
// them; a row for each resident block, a bar for each block, and arcs from the block that wrote to the one that read.
#pragma once

#include "analysis/panels/grid_picture.h"
#include "scene/scene.h"

#include <cstdint>
#include <optional>
#include <utility>

namespace lanescope::scene {

struct GridOptions {
    float width = 640, height = 0;                           ///< points available; height 0: as high as it needs
    double zoom = 1;                                         ///< of time: 1 shows the whole run
    double scroll_x = 0;                                     ///< points scrolled away at the left; kept within bounds
    std::optional<std::pair<std::uint32_t, BlockId>> shown;  ///< launch and block that are shown
    std::optional<std::uint64_t> tick;                       ///< of the current step
    std::size_t legend_rows = 1;                             ///< the same for the legend
    std::size_t note_lines = 1;                              ///< at least; grid_scene finds how many it needs
};

/// References: cell (row = the launch, column = the block), arc (row = its number; column = a bundle of arc_bundles(),
/// from 1, or 0), heading (column = the launch), line (row = the launch after it, column = the step of the host).
/// Viewport 0: the bars.
[[nodiscard]] Scene grid_scene(const trace::Trace& trace, const analysis::GridPicture& picture,
                               const GridOptions& options);

/// "Blocks 4 to 7 never started."; empty where all did. `cut_short`: the user or the step limit ended the run.
[[nodiscard]] std::string never_started_text(const analysis::GridLaunch& launch, bool cut_short);

/// "16 blocks resident at once, in turns", "Up to 4,224 blocks resident, as on an H200", "2 multiprocessors, at most 2
/// blocks on each".
[[nodiscard]] std::string residency_text(const analysis::GridLaunch& launch);

}  // namespace lanescope::scene
