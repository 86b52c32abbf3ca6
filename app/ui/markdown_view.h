// A page of Markdown in a panel: laid out again where text or width changes, scrolled, with links to click.
#pragma once

#include "scene/lesson_scene.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

class MarkdownView {
  public:
    /// Draws the page over the surface. Returns the index of the link under the mouse, where there is one.
    /// `scale`: pixels for a point of the page; `title`: of the scene, empty: the page's own heading;
    /// `same_page`: whether the new text is only longer or shorter than the old one, and stays where it is scrolled to.
    std::optional<std::size_t> draw(Context& context, const SceneView::Surface& surface, float scale, std::string text,
                                    const std::string& title,
                                    bool (*same_page)(const std::string& before, const std::string& now));

    [[nodiscard]] const scene::Scene& scene() const { return view_.scene(); }
    [[nodiscard]] const std::vector<std::string>& links() const { return links_; }
    /// Middle of a link on the screen, pixels. For tests.
    [[nodiscard]] ImVec2 link_on_screen(std::size_t index) const;

  private:
    SceneView view_;
    std::vector<std::string> links_;
    std::string built_for_;  // the Markdown
    float built_width_ = 0;  // points
    float top_ = 0;          // of the visible part, points
};

}  // namespace lanescope::ui
