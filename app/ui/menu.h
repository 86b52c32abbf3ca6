// The menus, from the table of commands: side by side, or in one menu where there is little room.
#pragma once

#include "ui/look.h"

namespace lanescope::ui {

class Shell;

/// Their width in pixels; `brief`: of one menu that contains the others.
[[nodiscard]] float menu_width(const Look& look, bool brief);

/// Draws the menus at the cursor, as high as a control.
void draw_menu(const Look& look, Shell& shell, bool brief);

}  // namespace lanescope::ui
