#include "ui/panels/lesson.h"

#include "base/markdown.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>
#include <variant>

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
    const float scale = look.px(1);
    const SceneView::Surface surface = SceneView::surface(look);
    const Shown* shown = context.workspace.shown();
    std::string text = shown == nullptr ? nothing_chosen : lesson_text(*shown);
    const float width = std::floor(surface.room.x / scale);
    if (text != built_for_ || width != built_width_) {
        if (text != built_for_) top_ = 0;
        scene::LessonPage page = scene::lesson_page(markdown::parsed(text), width);
        links_ = std::move(page.links);
        view_.set(std::move(page.scene));
        built_for_ = std::move(text);
        built_width_ = width;
    }
    top_ = view_.scrolled(top_, surface, scale);
    view_.draw(context, surface.at, surface.room, {0, top_}, scale);
    view_.draw_scrollbar(look, surface, top_, scale);
    if (!surface.hovered) return;
    const scene::TraceRef under = view_.under_mouse();
    if (under.kind != scene::TraceRef::Kind::link) return view_.explain_words(look);
    const auto link = lesson_link(links_[under.column]);
    if (!link) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tip(look, sentence_of(*link));
    if (surface.clicked) follow_(*link);
}

ImVec2 LessonPanel::link_on_screen(std::size_t index) const {
    for (const scene::Shape& shape : view_.scene().shapes) {
        const auto* const words = std::get_if<scene::Text>(&shape);
        if (words != nullptr && words->ref.kind == scene::TraceRef::Kind::link && words->ref.column == index)
            return view_.on_screen(words->x + 3, words->y - words->size * 0.3F);
    }
    return {};
}

}  // namespace lanescope::ui
