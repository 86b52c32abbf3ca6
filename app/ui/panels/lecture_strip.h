// The parts of a lecture over and beside the panels: the caption as a slim strip, where the Lecture panel is out of
// view; the pointer; the black screen.
#pragma once

#include "ui/panel.h"

namespace lanescope::ui {

class Presentation;
class Shell;

/// Draws the strip above `bottom` and returns its height, pixels; 0: there is none.
float draw_lecture_strip(Context& context, Shell& shell, float bottom);
/// A dot at the mouse that is seen from the back row.
void draw_pointer(const Look& look, const Presentation& presentation);
/// Draws the black screen over everything; a click removes it.
void draw_black_screen(Presentation& presentation);

}  // namespace lanescope::ui
