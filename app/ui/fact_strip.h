// Facts about what is under the mouse, docked in the place of the narration where a tooltip would cover the picture
// that it explains.
#pragma once

#include "ui/widgets.h"

namespace lanescope::ui {

/// From now on fact_sheet() fills the strip instead of a tooltip, or no longer.
void dock_facts(bool docked);
[[nodiscard]] bool facts_are_docked();
/// What the strip shows from now on in this frame.
void keep_facts(const Facts& facts);
/// Draws the facts of this frame over `place`, in as many columns as fit; nothing without any. True when it drew.
bool draw_fact_strip(const Look& look, const Area& place);

}  // namespace lanescope::ui
