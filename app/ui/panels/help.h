// The keys, from the table of commands.
#pragma once

#include "ui/panel.h"

namespace lanescope::ui {

/// Over the panels until it is closed: by its button, by Escape, by `?`.
void draw_help(const Context& context, bool& open);

}  // namespace lanescope::ui
