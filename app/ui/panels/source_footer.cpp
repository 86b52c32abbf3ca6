#include "ui/panels/source_footer.h"

#include "ui/sentences.h"
#include "ui/widgets.h"

#include <algorithm>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {
constexpr float edge_width = 2;  // points, of the panel beside the footer
}  // namespace

float SourceFooter::height(const Context& context, ImVec2 room) {
    const Look& look = context.look;
    const Workspace& workspace = context.workspace;
    const Shown& shown = *workspace.shown();
    const std::size_t pass = workspace.pass();
    const std::uint32_t line = workspace.next_cuda_line();
    if (shown_ != shown.id || pass_ != pass || cuda_line_ != line) {
        if (shown_ != shown.id) run_sentence_ = run_sentence(shown);
        shown_ = shown.id;
        pass_ = pass;
        cuda_line_ = line;
        activity_ = line_sentence(shown, pass, line);
        variables_ = pass < shown.passes->passes.size() ? variables_of(shown.passes->passes[pass]) : std::string();
    }
    // As written, no line has a share, and the tooltips of the lines say why.
    const bool compiled = shown.trace().origin.view == trace::View::compiled;
    const std::string share = activity_.empty() || !compiled ? "" : workspace.time_shares().of_line(shown, line);
    line_sentence_ = activity_ + (share.empty() ? "" : " " + share);
    // Room for two lines, so that the text above does not move from step to step.
    const Type words(look, Font::words, type::label);
    const float wrap = room.x - 2 * look.px(card_padding) - 2 * look.px(edge_width);
    const auto lines = [&](const std::string& text) {
        return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, wrap).y;
    };
    const float two = 2 * look.line_height(Font::words, type::label);
    const float brief =
        look.px(gap) * 3 + look.line_height(Font::code, type::code) + std::max(lines(line_sentence_), two);
    const float whole = brief + lines(run_sentence_);
    brief_ = whole > room.y * 0.4F;
    return std::min(brief_ ? brief : whole, room.y * 0.5F);
}

void SourceFooter::draw(const Context& context, float height) {
    const Look& look = context.look;
    const float edge = look.px(edge_width);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float left = ImGui::GetWindowPos().x;
    list->AddLine({left + look.px(card_padding), at.y}, {left + ImGui::GetWindowWidth() - look.px(card_padding), at.y},
                  look.color(Role::line));
    ImGui::SetCursorScreenPos({left + edge, at.y});
    ImGui::BeginChild("footer", {ImGui::GetWindowWidth() - 2 * edge, height - edge}, ImGuiChildFlags_None,
                      ImGuiWindowFlags_NoScrollbar);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::SetCursorPos({look.px(card_padding) - edge, look.px(gap)});
    ImGui::BeginGroup();
    ImGui::PushTextWrapPos(ImGui::GetWindowWidth() - look.px(card_padding));
    {
        const Type code(look, Font::code, type::code);
        if (variables_.empty()) {
            const auto& passes = context.workspace.shown()->passes->passes;
            ImGui::TextUnformatted(passes.empty() ? "" : passes[context.workspace.pass()].label.c_str());
        } else {
            ImGui::TextUnformatted(variables_.c_str());
        }
    }
    ImGui::Dummy({1, look.px(3)});
    {
        const Type words(look, Font::words, type::label);
        ImGui::PushStyleColor(ImGuiCol_Text, look.color(Role::soft));
        if (!line_sentence_.empty()) ImGui::TextUnformatted(line_sentence_.c_str());
        if (!brief_) ImGui::TextUnformatted(run_sentence_.c_str());
        ImGui::PopStyleColor();
    }
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

}  // namespace lanescope::ui
