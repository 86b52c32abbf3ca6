// The Lesson panel: the kernel's idea, its cost, what to look at, and the lecture's own words about it.
#pragma once

#include "ui/lesson_link.h"
#include "ui/markdown_view.h"
#include "ui/panel.h"

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
    [[nodiscard]] const scene::Scene* drawn() const override { return &page_.scene(); }

    // For tests.
    [[nodiscard]] const std::vector<std::string>& links() const { return page_.links(); }
    /// Middle of a link on the screen, pixels.
    [[nodiscard]] ImVec2 link_on_screen(std::size_t index) const { return page_.link_on_screen(index); }

  private:
    MarkdownView page_;
    std::function<void(const LessonLink&)> follow_;
};

/// The page's Markdown: the lesson of the program, with the counts of its run.
[[nodiscard]] std::string lesson_text(const Shown& shown);

}  // namespace lanescope::ui
