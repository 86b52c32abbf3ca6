// A scene on the screen: handed to the renderer when ImGui's draw lists are played.
#pragma once

#include "scene/scene.h"
#include "ui/panel.h"

#include <cstdint>
#include <optional>

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
    /// `overlapped`: other controls will lie on it.
    [[nodiscard]] static Surface surface(const Look& look, bool overlapped = false);

    /// Where the wheel, or a drag of the bar, takes `pan`, points, of a scene that may be higher than the surface; kept
    /// within it. `scale`: pixels a point, as in draw().
    [[nodiscard]] float scrolled(float pan, const Surface& surface, float scale) const;
    /// The same for a part of a scene that is as large as the surface: how far its content is scrolled now.
    [[nodiscard]] static ImVec2 scrolled(const scene::Viewport& part, const Surface& surface, float scale);

    /// Where in it one is, over the scene's right edge; nothing where all of it is in sight. After draw().
    void draw_scrollbar(const Look& look, const Surface& surface, float pan, float scale);
    /// The same for a part: over its right edge and below it.
    void draw_scrollbars(const Look& look, const scene::Viewport& part, const Surface& surface, float scale);

    /// Where a point of the scene was drawn last, pixels.
    [[nodiscard]] ImVec2 on_screen(float x, float y) const;
    /// The middle of what refers to that, pixels; nothing where nothing does.
    [[nodiscard]] std::optional<ImVec2> on_screen(scene::TraceRef::Kind kind, std::uint32_t row = 0,
                                                  std::optional<std::uint32_t> column = {}) const;
    /// Where the mouse is in the scene, points.
    [[nodiscard]] ImVec2 mouse() const;
    /// What lies under the mouse; kind `none` where nothing or a scrollbar does.
    [[nodiscard]] scene::TraceRef under_mouse() const;
    /// Where the mouse is over words of the scene that stand for nothing of the trace: the term of the field under it
    /// is explained. For a surface that the mouse is over.
    void explain_words(const Look& look) const;

  private:
    scene::Scene scene_;
    std::uint64_t id_ = 0;
    unsigned slot_;
    ImVec2 at_{0, 0}, pan_{0, 0};
    bool on_bar_ = false;  // the mouse is
    float scale_ = 1;
};

}  // namespace lanescope::ui
