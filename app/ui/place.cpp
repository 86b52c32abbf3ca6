#include "ui/place.h"

namespace lanescope::ui {

session::PlaceLink link_of(const Workspace& workspace) {
    const Bookmark at = workspace.bookmark();
    return {.launch = workspace.form().ran(),
            .place = {.launch = at.launch, .block = at.block, .position = at.position, .selected = at.selected},
            .ptx = session::checksum_of(workspace.shown()->trace().origin.ptx),
            .has_place = true};
}

}  // namespace lanescope::ui
