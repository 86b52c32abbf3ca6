// A scene on the screen: passed to the renderer when ImGui's draw lists are executed.
#pragma once

#include "scene/scene.h"
#include "ui/panel.h"

#include <cstdint>
#include <optional>

namespace lanescope::ui {

/// One scene of a panel and its last place. The scene must live until the frame is on the screen.
class SceneView {
  public:
    SceneView() : slot_(views_++) {}

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
    /// `overlapped`: other controls will be on top of it.
    [[nodiscard]] static Surface surface(const Look& look, bool overlapped = false);

    /// `pan` after the wheel or a drag of the scrollbar, points, of a scene that may be higher than the surface; kept
    /// within it. `scale`: pixels a point, as in draw().
    [[nodiscard]] float scrolled(float pan, const Surface& surface, float scale) const;
    /// The same for a part of a scene that is as large as the surface: the scroll position of its content.
    [[nodiscard]] static ImVec2 scrolled(const scene::Viewport& part, const Surface& surface, float scale);

    /// The scrollbar, over the scene's right edge; none where the whole scene is visible. After draw().
    void draw_scrollbar(const Look& look, const Surface& surface, float pan, float scale);
    /// The same for a part: over its right edge and below it.
    void draw_scrollbars(const Look& look, const scene::Viewport& part, const Surface& surface, float scale);

    /// The last place of a point of the scene, pixels.
    [[nodiscard]] ImVec2 on_screen(float x, float y) const;
    /// The middle of the shape with that reference, pixels; nothing without one.
    [[nodiscard]] std::optional<ImVec2> on_screen(scene::TraceRef::Kind kind, std::uint32_t row = 0,
                                                  std::optional<std::uint32_t> column = {}) const;
    /// The mouse position in the scene, points.
    [[nodiscard]] ImVec2 mouse() const;
    /// The reference under the mouse; kind `none` without one, and over a scrollbar.
    [[nodiscard]] scene::TraceRef under_mouse() const;
    /// Explains the glossary term under the mouse, in words of the scene without a reference. For a surface that the
    /// mouse is over.
    void explain_words(const Look& look) const;

  private:
    scene::Scene scene_;
    std::uint64_t id_ = 0;
    inline static unsigned views_ = 0;
    unsigned slot_;  ///< which of the renderer's scenes it replaces: every view has its own
    ImVec2 at_{0, 0}, pan_{0, 0};
    bool on_bar_ = false;  // the mouse is
    float scale_ = 1;
};

}  // namespace lanescope::ui
