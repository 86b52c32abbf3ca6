// A scene on the screen: handed to the renderer when ImGui's draw lists are played.
#pragma once

#include "scene/scene.h"
#include "ui/panel.h"

#include <cstdint>

namespace lanescope::ui {

/// One scene of a panel and where it was last drawn. The scene must live until the frame is on the screen.
class SceneView {
  public:
    /// `slot`: which of the renderer's scenes it replaces; every view has its own.
    explicit SceneView(unsigned slot) : slot_(slot) {}

    /// The scene to draw from now on.
    void set(scene::Scene scene);
    [[nodiscard]] const scene::Scene& scene() const { return scene_; }

    /// Draws into the box at `at` of `room` pixels, the scene's point `pan` at its top left corner, `scale` pixels a
    /// point.
    void draw(Context& context, ImVec2 at, ImVec2 room, ImVec2 pan, float scale);
    /// The rest of the panel, as one control to draw on. All in pixels.
    struct Surface {
        ImVec2 at, room;
        bool clicked = false, hovered = false;
    };
    [[nodiscard]] static Surface surface(const Look& look);

    /// Where the wheel, or a drag of the bar, takes `pan`, points, of a scene that may be higher than the surface; kept
    /// within it. `scale`: pixels a point, as in draw().
    [[nodiscard]] float scrolled(float pan, const Surface& surface, float scale) const;

    /// Where in it one is, over the scene's right edge; nothing where all of it is in sight. After draw().
    void draw_scrollbar(const Look& look, const Surface& surface, float pan, float scale) const;

    /// Where a point of the scene was drawn last, pixels.
    [[nodiscard]] ImVec2 on_screen(float x, float y) const;
    /// What lies under the mouse; kind `none` where nothing does.
    [[nodiscard]] scene::TraceRef under_mouse() const;
    /// Where the mouse is over words of the scene that stand for nothing of the trace: the term of the field under it
    /// is explained. For a surface that the mouse is over.
    void explain_words(const Look& look) const;

  private:
    scene::Scene scene_;
    std::uint64_t id_ = 0;
    unsigned slot_;
    ImVec2 at_{0, 0}, pan_{0, 0};
    float scale_ = 1;
};

}  // namespace lanescope::ui
