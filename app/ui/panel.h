// A panel: a docked card that answers one question.
#pragma once

#include "ui/look.h"
#include "ui/room.h"
#include "ui/workspace.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::render {
class GlRenderer;
}

struct ImGuiDockNode;

namespace lanescope::ui {

class Comparing;

/// The state and the tools that a panel draws with.
struct Context {
    Workspace& workspace;
    const Look& look;
    render::GlRenderer& renderer;
    const Comparing* comparing = nullptr;  ///< of the window's own program; null for another
};

class Panel {
  public:
    virtual ~Panel() = default;
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;
    [[nodiscard]] virtual const char* title() const = 0;
    /// False if it has nothing to show of the current run: the panel is then not drawn.
    [[nodiscard]] virtual bool exists(const Workspace&) const { return true; }
    /// One line right of the title: the first alternative that fits, or none. A single one is elided.
    [[nodiscard]] virtual std::vector<std::string> subtitle(const Context&) const { return {}; }
    /// Controls at the right of the title, right to left from `right`; returns where they begin. All in pixels.
    virtual float header(Context&, float right, [[maybe_unused]] float top, [[maybe_unused]] float height) {
        return right;
    }
    /// Draws the content below the title, from the cursor at the top left.
    virtual void draw(Context& context) = 0;
    /// The picture that it shows, for saving to a file; null without one.
    [[nodiscard]] virtual const scene::Scene* drawn() const { return nullptr; }
    /// The whole picture for a file, not only its visible part.
    [[nodiscard]] virtual scene::Scene whole_picture(const Workspace&) const { return *drawn(); }
    /// The room that its content needs. It depends on the run and not on the step: panels do not move during stepping.
    [[nodiscard]] virtual Needs needs(const Workspace&) const { return {}; }
    /// The numbers that it shows, as CSV; empty without any.
    [[nodiscard]] virtual std::string csv(const Workspace&) const { return {}; }
    /// Seconds until the panel needs another frame without any input; 0: it needs none.
    [[nodiscard]] virtual double seconds_until_redraw() const { return 0; }

    bool open = true;
    bool appear = false;       ///< select its tab in the next frame
    bool under_mouse = false;  ///< in the last frame
    bool in_front = false;     ///< in the last frame, its tab was the selected one of its dock
    int drawn_at = -1;         ///< ImGui's number of the last frame in which its content was drawn
    /// In a comparison, the program that the panel belongs to, 0 for A: its heading has that program's color. Nothing:
    /// it belongs to none.
    std::optional<std::size_t> compared_program = {};
    float header_width = 0;  ///< width of its controls in the last frame, pixels

  protected:
    Panel() = default;
};

/// The width of the names of a dock's panels side by side, with a close button in each or without; pixels.
[[nodiscard]] float width_of_tabs(const ImGuiDockNode& node, bool crosses);

/// Draws `panel` as a card: rounded, titled, closable, dockable.
void draw_card(Panel& panel, Context& context);
/// Draws the maximized card in place of all panels. True when it is to be restored.
[[nodiscard]] bool draw_alone(Panel& panel, Context& context, ImVec2 at, ImVec2 size);

}  // namespace lanescope::ui
