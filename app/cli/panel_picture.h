// A moment of a run -> the picture of a panel, as `render` and `lecture` draw it.
#pragma once

#include "base/ids.h"
#include "base/progress.h"
#include "scene/scene.h"
#include "session/run.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace lanescope::cli {

/// The drawn moment of a run.
struct Moment {
    std::uint32_t launch = 0;
    BlockId block;
    std::size_t position = 0;                                         ///< in the block's steps
    bool named = false;                                               ///< a pass or step was requested
    std::optional<std::pair<std::uint32_t, std::uint32_t>> selected;  ///< row and column of the Passes picture
    bool joint = true;  ///< arrays that form one value share the cells of the Passes picture
};

/// A panel that is a picture of a run.
struct DrawnPanel {
    std::string_view name;   ///< as `render` has it: "banks"
    std::string_view title;  ///< as the window has it: "Banks"; empty: part of another panel
    scene::Scene (*draw)(const session::Run& run, const Moment& moment, float width, Progress& progress);
};
[[nodiscard]] std::span<const DrawnPanel> drawn_panels();

/// `panel`: the name of one of them; passes for any other.
[[nodiscard]] scene::Scene panel_picture(const session::Run& run, const Moment& moment, std::string_view panel,
                                         float width, Progress& progress);

}  // namespace lanescope::cli
