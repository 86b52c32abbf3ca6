#include "ui/panels/lesson.h"

#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

namespace lanescope::ui {

namespace {

constexpr const char* nothing_chosen = "Choose a kernel above.";
constexpr const char* no_summary =
    "The file has no description. A comment line `// lanescope: summary = ...` in it is shown here.";

}  // namespace

std::string lesson_text(const Shown& shown) {
    const session::Program& program = shown.run->program;
    const session::Lesson& lesson = program.lesson;
    std::string text = fmt::format("# {}\n\n{}\n\n", lesson.title.empty() ? program.name : lesson.title,
                                   lesson.summary.empty() ? no_summary : lesson.summary);
    if (!lesson.work.empty() || !lesson.span.empty()) text += "## Closed forms\n\n";
    if (!lesson.work.empty()) text += fmt::format("- Work, all operations: `{}`\n", lesson.work);
    if (!lesson.span.empty()) text += fmt::format("- Span, the longest chain of them: `{}`\n", lesson.span);
    text += fmt::format("\n## In this run\n\n{}\n\n", run_sentence(shown));
    for (const session::Lesson::Section& section : lesson.sections)
        text += fmt::format("## {}\n\n{}\n\n", section.heading, section.text);
    return text;
}

void LessonPanel::draw(Context& context) {
    const Look& look = context.look;
    const Shown* shown = context.workspace.shown();
    const SceneView::Surface surface = SceneView::surface(look);
    const auto under = page_.draw(context, surface, look.px(1), shown == nullptr ? nothing_chosen : lesson_text(*shown),
                                  {}, [](const std::string& before, const std::string& now) { return before == now; });
    const auto link = under ? lesson_link(links()[*under]) : std::nullopt;
    if (!link) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tip(look, sentence_of(*link));
    if (surface.clicked) follow_(*link);
}

}  // namespace lanescope::ui
