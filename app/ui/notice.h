// A short message in the corner that needs no answer: where a file was written, what could not be opened.
#pragma once

#include "ui/panel.h"

#include <string>

namespace lanescope::ui {

class Notice {
  public:
    /// Instead of the one before, for some seconds.
    void say(std::string text, bool bad = false);
    [[nodiscard]] const std::string& text() const { return text_; }
    /// `bottom`: above it, in pixels.
    void draw(const Context& context, float bottom);
    /// Until it goes by itself, in seconds; 0: nothing is said.
    [[nodiscard]] double seconds_until_redraw() const;

  private:
    std::string text_;
    bool bad_ = false;
    double until_ = 0;
};

}  // namespace lanescope::ui
