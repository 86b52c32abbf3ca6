#include "ui/panels/lecture.h"

#include "ui/drop_list.h"
#include "ui/lesson_link.h"
#include "ui/shell.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <cmath>

namespace lanescope::ui {

using scene::Font;

namespace {

constexpr std::string_view reveal_link = "lanescope:reveal";
constexpr float enlarged = 1.35F;  ///< to be read from the back row

std::vector<ListEntry> steps_of(Shell& shell) {
    Presentation& presentation = shell.presentation();
    std::vector<ListEntry> entries;
    for (const session::LectureStep& step : presentation.lecture().steps) {
        const std::size_t at = entries.size();
        entries.push_back(
            {fmt::format("{}  {}", at + 1, step.heading), {}, {}, at == presentation.step(), [&shell, at] {
                 shell.presentation().go(shell, at);
             }});
    }
    return entries;
}

}  // namespace

std::string lecture_text(const Presentation& presentation, const std::string& running) {
    const session::Lecture& lecture = presentation.lecture();
    const session::LectureStep* const step = presentation.current();
    if (step == nullptr)
        return fmt::format(
            "# {}\n\nThis lecture has no step yet. *Add this place as a step* in the menu *Lecture* "
            "creates one from what the window shows.\n",
            lecture.title);
    const session::LectureWords& words = presentation.words();
    std::string text =
        fmt::format("# {}\n\n{}\n\n", step->heading, session::caption_of(lecture, presentation.step(), words.caption));
    if (!presentation.problem().empty())
        text += fmt::format("**This step is not shown.** {}\n\n", presentation.problem());
    if (!running.empty()) text += fmt::format("*{}*\n\n", running);
    for (std::size_t at = 0; at < words.questions.size(); ++at) {
        text += fmt::format("## Question\n\n{}\n\n", words.questions[at].ask);
        if (at < presentation.revealed()) {
            text += fmt::format("## Answer\n\n{}\n\n", words.questions[at].answer);
        } else {
            text += fmt::format("[Reveal the answer]({})\n\n", reveal_link);
            break;  // one question at a time
        }
    }
    if (presentation.notes && !words.notes.empty())
        text += fmt::format("---\n\n## Speaker's notes\n\n{}\n", words.notes);
    return text;
}

bool LecturePanel::exists(const Workspace&) const { return shell_.presentation().running(); }

std::vector<std::string> LecturePanel::subtitle(const Context&) const {
    if (!shell_.presentation().running()) return {};
    const std::string title = shell_.presentation().lecture().title;
    return {shell_.presentation().modified() ? title + " (not saved)" : title};
}

float LecturePanel::header(Context& context, float right, float top, float height) {
    const Look& look = context.look;
    Presentation& presentation = shell_.presentation();
    if (!presentation.running()) return right;
    constexpr float control = 24;
    const std::size_t count = presentation.lecture().steps.size();
    const float y = std::floor(top + (height - look.px(control)) * 0.5F), space = look.px(4);
    float x = right;
    const auto place = [&](const char* id, const std::string& label, Icon before, Icon after, bool enabled,
                           std::string_view explained) {
        const ButtonLook how{.quiet = true, .enabled = enabled, .height = control};
        x -= button_size(look, label, before, after, how).x;
        ImGui::SetCursorScreenPos({x, y});
        const bool clicked = button(look, id, label, before, after, how);
        tip(look, explained);
        x -= space;
        return clicked;
    };
    const bool last = presentation.step() + 1 >= count && !presentation.waits();
    if (place("lecture-next", "", Icon::forward, Icon::none, !last, "Next step (Page Down)")) presentation.next(shell_);
    const std::string number = count == 0 ? "no steps" : fmt::format("{} of {}", presentation.step() + 1, count);
    if (place("lecture-steps", number, Icon::none, Icon::down, count > 0, "All steps")) open_list("steps");
    drop_list(look, "steps", {x, y + look.px(control)}, {}, [this] { return steps_of(shell_); });
    if (place("lecture-back", "", Icon::back, Icon::none, presentation.step() > 0, "Previous step (Page Up)"))
        presentation.back(shell_);
    return x;
}

void LecturePanel::draw(Context& context) {
    Presentation& presentation = shell_.presentation();
    if (!presentation.running()) return note(context.look, "File > Open lecture opens one.");
    if (presentation.editing && presentation.current() == nullptr) presentation.editing = false;
    if (presentation.editing && !was_editing_) {
        heading_ = presentation.current()->heading;
        caption_ = presentation.current()->caption;
    }
    was_editing_ = presentation.editing;
    if (presentation.editing) return draw_fields(context.look);
    draw_page(context);
}

void LecturePanel::draw_fields(const Look& look) {
    const float padding = look.px(card_padding), row = look.px(control_height) + look.px(gap);
    const Type words(look, Font::words, type::heading);
    const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
    const float width = std::max(room.x - 2 * padding, 1.0F);
    ImGui::SetCursorScreenPos({at.x + padding, at.y + padding});
    ImGui::SetNextItemWidth(width);
    ImGui::InputText("##heading", &heading_);
    ImGui::SetCursorScreenPos({at.x + padding, at.y + padding + row});
    ImGui::InputTextMultiline("##caption", &caption_, {width, std::max(room.y - 3 * padding - 2 * row, row)},
                              ImGuiInputTextFlags_WordWrap);
    ImGui::SetCursorScreenPos({at.x + padding, at.y + room.y - padding - look.px(control_height)});
    if (button(look, "keep-words", "Keep", Icon::check, Icon::none, {.primary = true}))
        shell_.presentation().set_words(shell_, heading_, caption_);
    tip(look, "Keep heading and caption. Save lecture writes the file.");
    ImGui::SameLine(0, look.px(gap));
    if (button(look, "drop-words", "Cancel")) shell_.presentation().editing = false;
}

void LecturePanel::draw_page(Context& context) {
    const Look& look = context.look;
    Presentation& presentation = shell_.presentation();
    const SceneView::Surface surface = SceneView::surface(look);
    // An answer is added below; another step begins at its top.
    const auto is_same_step = [](const std::string& before, const std::string& now) {
        return before.substr(0, before.find('\n')) == now.substr(0, now.find('\n'));
    };
    const auto under =
        page_.draw(context, surface, look.px(enlarged), lecture_text(presentation, presentation.running_text(shell_)),
                   "Lecture", is_same_step);
    if (!under) return;
    const std::string& target = links()[*under];
    const auto link = lesson_link(target);
    if (!link && target != reveal_link) return;
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    tip(look, link ? sentence_of(*link) : "Reveal the answer (Page Down)");
    if (!surface.clicked) return;
    if (link) {
        follow(*link, shell_);
    } else {
        presentation.reveal();
    }
}

}  // namespace lanescope::ui
