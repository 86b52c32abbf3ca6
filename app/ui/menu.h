// The menus, from the table of commands: side by side, or in one menu where there is little room.
#pragma once

#include "ui/look.h"

namespace lanescope::ui {

class Shell;

/// In pixels; `brief`: one menu.
[[nodiscard]] float menu_width(const Look& look, bool brief);

/// Draws them at the cursor, at the height of a control.
void draw_menu(const Look& look, Shell& shell, bool brief);

}  // namespace lanescope::ui
