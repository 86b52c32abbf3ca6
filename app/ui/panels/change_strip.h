// The differences between A and another program, in a sentence with their numbers, above the narration: while a
// comparison is presented or a panel of it is maximized.
#pragma once

#include "ui/panel.h"

namespace lanescope::ui {

class Shell;

/// Draws it above `bottom`; returns its height, 0 where there is none. Pixels.
float draw_change_strip(Context& context, Shell& shell, float bottom);

}  // namespace lanescope::ui
