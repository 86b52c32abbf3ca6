// The current step in large type, and the transport below it: buttons, scrubber, speed.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

#include <string_view>

namespace lanescope::ui {

class Shell;

class Narration {
  public:
    /// Draws at the bottom of the window; returns its height in pixels. `slim`: in the room that a presented panel
    /// leaves; `beside_changes`: together with the strip of the differences between two programs.
    float draw(Context& context, Shell& shell, ImVec2 at, ImVec2 window, bool slim, bool beside_changes);
    /// Where the sentence stood in the last frame, over the whole width.
    [[nodiscard]] const Area& place() const { return place_; }
    /// Two lines of text in `width` pixels, set smaller where it is longer; terms explain themselves under the mouse.
    static void sentence(const Look& look, std::string_view text, ImVec2 at, float width);

  private:
    /// The tour's buttons right of the text. Returns their width in pixels; 0: none.
    static float tour(const Context& context, Shell& shell, float right, float top, float height);
    static void sentence(const Look& look, std::string_view text, ImVec2 at, ImVec2 room);
    static void transport(Context& context, Shell& shell, ImVec2 at, float width, bool slim);
    static void scrubber(Context& context, ImVec2 at, ImVec2 size, bool slim);

    Area place_;
};

}  // namespace lanescope::ui
