// A moment of a run -> the picture of a panel, as `render` and `lecture` draw it.
#pragma once

#include "base/ids.h"
#include "scene/scene.h"
#include "session/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace lanescope::cli {

/// The drawn moment of a run.
struct Moment {
    std::uint32_t launch = 0;
    BlockId block;
    std::size_t position = 0;                                         ///< in the block's steps
    bool named = false;                                               ///< a pass or step was asked for
    std::optional<std::pair<std::uint32_t, std::uint32_t>> selected;  ///< row and column of the Passes picture
};

/// `panel`: "passes", "grid", "banks", "warps", "warp-passes", "memory", "counts", "theory", "program"; passes for any
/// other.
[[nodiscard]] scene::Scene panel_picture(const session::Run& run, const Moment& moment, std::string_view panel,
                                         float width);

}  // namespace lanescope::cli
