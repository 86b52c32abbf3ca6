// A text that has not run, with the compiler's message below each line that has an error.
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
};

}  // namespace lanescope::ui
