// The Lesson panel: the kernel's idea, its cost, what to look at, and the lecture's own words about it.
#pragma once

#include "scene/lesson_scene.h"
#include "ui/lesson_link.h"
#include "ui/panel.h"
#include "ui/scene_view.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace lanescope::ui {

class LessonPanel : public Panel {
  public:
    /// `follow`: called for a click on a link.
    explicit LessonPanel(std::function<void(const LessonLink&)> follow) : follow_(std::move(follow)) {}

    [[nodiscard]] const char* title() const override { return "Lesson"; }
    void draw(Context& context) override;
    [[nodiscard]] const scene::Scene* drawn() const override { return &view_.scene(); }

    // For tests.
    [[nodiscard]] const std::vector<std::string>& links() const { return links_; }
    /// Middle of a link on the screen, pixels.
    [[nodiscard]] ImVec2 link_on_screen(std::size_t index) const;

  private:
    SceneView view_;
    std::vector<std::string> links_;
    std::function<void(const LessonLink&)> follow_;
    std::string built_for_;  // the Markdown
    float built_width_ = 0;  // points
    float top_ = 0;          // of the visible part, points
};

/// The page's Markdown: the lesson of the program, with the counts of its run.
[[nodiscard]] std::string lesson_text(const Shown& shown);

}  // namespace lanescope::ui
