// The lanes that work, as shapes: the Warps panel. A row is a warp in a pass, an instruction of one warp, or a pass
// with its warps side by side; a square is a lane.
#pragma once

#include "analysis/panels/warp_picture.h"
#include "analysis/panels/warp_progress.h"
#include "analysis/passes/passes.h"
#include "scene/scene.h"
#include "trace/trace.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::scene {

/// The instruction that executes next, as an additional row.
struct NextInstruction {
    WarpId warp;
    LaneMask executed, predicated_off, inactive, exited;
};

/// The position of a warp at the cursor, in a word or two.
struct WarpState {
    std::string text;    ///< "line 14", "waits", "done"
    bool waits = false;  ///< for others
};

struct WarpsOptions {
    float width = 480, height = 320;  ///< points available; height 0: as high as it needs
    std::optional<NextInstruction> next;
    std::vector<WarpState> states;  ///< by warp; empty: the picture is of no single moment
    std::optional<WarpId> warp;     ///< the chosen warp, and a lane of it
    std::optional<unsigned> lane;
    float scale = 1;  ///< text size
};

/// References: lane (row = warp, column = lane in it), row (the name of a warp).
[[nodiscard]] Scene warps_scene(const analysis::WarpPicture& picture, const WarpsOptions& options);

/// The threads of a block at their coordinates x and y, the slices of z one below the other, with lines between warps.
/// Of the options, uses width, height, the chosen lane and the scale. References: as in warps_scene().
[[nodiscard]] Scene block_shape_scene(const analysis::WarpPicture& picture, const trace::Dim3& block,
                                      const WarpsOptions& options);

struct InstructionsOptions {
    float width = 480, height = 320;  ///< points available; it grows beyond where rows need it
    std::optional<std::size_t>
        position;  ///< the step that executes next; rows beyond it are faint. Nothing: all have executed
    std::optional<unsigned> lane;  ///< chosen
    float scale = 1;
};
/// `texts`: for each row its source line. References: lane (row = number in `rows`), row.
[[nodiscard]] Scene instructions_scene(std::span<const analysis::InstructionRow> rows,
                                       std::span<const std::string> texts, const InstructionsOptions& options);

struct WarpPassesOptions {
    float width = 480,
          height = 320;  ///< points available; it grows beyond where rows need it. height 0: as high as it needs
    std::optional<std::size_t> pass;  ///< the one at the cursor
    std::optional<WarpId> warp;       ///< the chosen warp, and a lane of it
    std::optional<unsigned> lane;
    float scale = 1;  ///< text size
};

/// `pictures`: those of `passes`, by pass. Warps that do not fit side by side continue below. References: lane (row =
/// pass, column = thread of the block, span = threads of a box), row (row = pass).
[[nodiscard]] Scene warp_passes_scene(std::span<const analysis::WarpPicture> pictures,
                                      const analysis::BlockPasses& passes, const WarpPassesOptions& options);

}  // namespace lanescope::scene
