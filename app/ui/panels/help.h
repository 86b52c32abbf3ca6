// The keyboard shortcuts, from the table of commands.
#pragma once

#include "ui/panel.h"

namespace lanescope::ui {

/// Drawn over the panels until it is closed by its button, Escape or `?`.
void draw_help(const Context& context, bool& open);

}  // namespace lanescope::ui
