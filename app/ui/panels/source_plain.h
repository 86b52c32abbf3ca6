// A text that has not run, with the compiler's message below each line that has an error; lines wider than the panel
// are folded.
#pragma once

#include "ui/panel.h"
#include "ui/source_text.h"

#include <string>

namespace lanescope::ui {

class PlainSource {
  public:
    void draw(const Context& context, const std::string& text);

  private:
    std::string text_;  // of lines_
    SourceText lines_;
    TextRows rows_;
    float folded_for_ = -1;  // the room of rows_, at an em of 1 pixel
};

}  // namespace lanescope::ui
