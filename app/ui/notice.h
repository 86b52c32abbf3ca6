// Messages and questions of the window: a short message in the corner, such as where a file was written, and the
// question before the host code of a file from an untrusted folder is compiled and run.
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

/// Asks Workspace::question() in a popup while there is one.
void ask_for_trust(const Context& context);

}  // namespace lanescope::ui
