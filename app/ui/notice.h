// A short message in the corner: where a file was written, which file could not be opened.
#pragma once

#include "ui/panel.h"

#include <string>

namespace lanescope::ui {

class Notice {
  public:
    /// Shows the message for some seconds, in place of the previous one.
    void say(std::string text, bool bad = false);
    [[nodiscard]] const std::string& text() const { return text_; }
    /// Draws it above `bottom`, in pixels.
    void draw(const Context& context, float bottom);
    /// Seconds until it disappears; 0: no message.
    [[nodiscard]] double seconds_until_redraw() const;

  private:
    std::string text_;
    bool bad_ = false;
    double until_ = 0;
};

}  // namespace lanescope::ui
