// The menus, made from the table of commands: words beside each other, or behind one word where there is little room.
#pragma once

#include "ui/look.h"

namespace lanescope::ui {

class Shell;

/// In pixels; brief: one word.
[[nodiscard]] float menu_width(const Look& look, bool brief);

/// At the cursor, as tall as a control.
void draw_menu(const Look& look, Shell& shell, bool brief);

}  // namespace lanescope::ui
