// The place that the window shows, as a link: the launch that has run, the block, the step, the selected cell.
#pragma once

#include "session/place_link.h"
#include "ui/workspace.h"

namespace lanescope::ui {

/// Something must be shown.
[[nodiscard]] session::PlaceLink link_of(const Workspace& workspace);

}  // namespace lanescope::ui
