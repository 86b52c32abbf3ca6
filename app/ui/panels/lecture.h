// The Lecture panel: the caption of the current step, large; its questions, whose answers are revealed one by one; the
// speaker's notes, on request; the list of steps; and the fields in which heading and caption are edited.
#pragma once

#include "ui/markdown_view.h"
#include "ui/panel.h"

#include <string>
#include <vector>

namespace lanescope::ui {

class Presentation;
class Shell;

class LecturePanel : public Panel {
  public:
    explicit LecturePanel(Shell& shell) : shell_(shell) {}

    [[nodiscard]] const char* title() const override { return "Lecture"; }
    [[nodiscard]] bool exists(const Workspace&) const override;
    [[nodiscard]] std::vector<std::string> subtitle(const Context& context) const override;
    float header(Context& context, float right, float top, float height) override;
    void draw(Context& context) override;
    [[nodiscard]] const scene::Scene* drawn() const override { return &page_.scene(); }

    // For tests.
    [[nodiscard]] const std::vector<std::string>& links() const { return page_.links(); }
    /// Middle of a link on the screen, pixels.
    [[nodiscard]] ImVec2 link_on_screen(std::size_t index) const { return page_.link_on_screen(index); }

  private:
    void draw_page(Context& context);
    void draw_fields(const Look& look);

    Shell& shell_;
    MarkdownView page_;
    bool was_editing_ = false;
    std::string heading_, caption_;  // as typed
};

/// The text of the panel, as Markdown: a link `lanescope:reveal` where an answer waits. `running`:
/// Presentation::running_text().
[[nodiscard]] std::string lecture_text(const Presentation& presentation, const std::string& running = {});

}  // namespace lanescope::ui
