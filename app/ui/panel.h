// What a panel is: a docked card that answers one question.
#pragma once

#include "ui/look.h"
#include "ui/workspace.h"

#include <string>

namespace lanescope::render {
class GlRenderer;
}

namespace lanescope::ui {

/// What a panel gets to draw itself.
struct Context {
    Workspace& workspace;
    const Look& look;
    render::GlRenderer& renderer;
};

class Panel {
  public:
    virtual ~Panel() = default;
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;
    [[nodiscard]] virtual const char* title() const = 0;
    /// The one line at the right of the title, soft. Of several the first that has room is shown, or none; one alone is
    /// cut.
    [[nodiscard]] virtual std::vector<std::string> subtitle(const Context&) const { return {}; }
    /// Controls at the right of the title, right to left from `right`; returns where they begin. All in pixels.
    virtual float header(Context&, float right, [[maybe_unused]] float top, [[maybe_unused]] float height) {
        return right;
    }
    /// Inside the card, below the title; the cursor is at the top left of the content region.
    virtual void draw(Context& context) = 0;
    /// The picture that it shows, to be saved to a file; nothing where it draws none.
    [[nodiscard]] virtual const scene::Scene* drawn() const { return nullptr; }
    /// The same for a file: all of it, not only what is seen.
    [[nodiscard]] virtual scene::Scene whole_picture(const Workspace&) const { return *drawn(); }
    /// The numbers that it shows, as a table of text; empty where it shows none.
    [[nodiscard]] virtual std::string csv(const Workspace&) const { return {}; }
    /// Until when, in seconds from now, the panel wants another frame though nobody does anything; 0: it does not.
    [[nodiscard]] virtual double seconds_until_redraw() const { return 0; }

    bool open = true;
    bool appear = false;       ///< to be brought to the front of its tabs
    bool under_mouse = false;  ///< as it was drawn last
    float header_width = 0;    ///< of its controls, likewise, pixels

  protected:
    Panel() = default;
};

/// Frames `panel` as a card: rounded, titled, closable, dockable.
void draw_card(Panel& panel, Context& context);
/// The same card by itself, where all panels would be. True when it is to go back.
[[nodiscard]] bool draw_alone(Panel& panel, Context& context, ImVec2 at, ImVec2 size);

}  // namespace lanescope::ui
