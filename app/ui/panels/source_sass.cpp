#include "ui/panels/source_sass.h"

#include "ui/drop_list.h"
#include "ui/sentences.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <cmath>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float arch_height = 22;  // points

}  // namespace

void SourceSass::follow(const Context& context) {
    const Shown& shown = *context.workspace.shown();
    if (arch_ == 0) arch_ = sass::usual_arch();
    text_.follow(shown.run->analysis->trace, arch_);
    text_.poll();
    if (text_.listing() == nullptr ||
        (resources_for_ == text_.version() && resources_launch_ == shown.launch && resources_of_ == shown.id))
        return;
    resources_for_ = text_.version();
    resources_launch_ = shown.launch;
    resources_of_ = shown.id;
    resources_ = text_.resources_of(shown.trace().launches[shown.launch]);
}

float SourceSass::height(const Context& context, float width) const {
    const Look& look = context.look;
    const Type words(look, Font::words, type::label);
    const auto lines = [&](const std::string& text) {
        return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, width).y;
    };
    // Room for two lines about the SASS of the next step, so that the text below does not move from step to step.
    const float said = text_.problem() ? lines(text_.problem()->message())
                                       : lines(resources_) + 2 * look.line_height(Font::words, type::label);
    return look.px(arch_height) + look.px(3) * 3 + said;
}

void SourceSass::choose_arch(Context& context) {
    const Look& look = context.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (button(look, "##architecture", fmt::format("sm_{}", arch_), Icon::none, Icon::down, {.height = arch_height}))
        open_list("architectures");
    tip(look, "The architecture that ptxas assembles the PTX for.");
    drop_list(look, "architectures", {at.x, at.y + look.px(arch_height + 4)}, {}, [&] {
        std::vector<ListEntry> entries;
        for (const unsigned arch : sass::arches())
            entries.push_back({fmt::format("sm_{}", arch), {}, {}, arch == arch_, [this, arch] { arch_ = arch; }});
        return entries;
    });
}

void SourceSass::draw(Context& context, float width) {
    const Look& look = context.look;
    const Workspace& workspace = context.workspace;
    const Type words(look, Font::words, type::label);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look.px(gap), look.px(3)});
    ImGui::BeginGroup();
    choose_arch(context);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::PushStyleColor(ImGuiCol_Text, look.color(Role::soft));
    if (const std::optional<Problem>& problem = text_.problem()) {
        ImGui::TextUnformatted(problem->message().c_str());
    } else if (const sass::Listing* listing = text_.listing()) {
        ImGui::SameLine();
        // In the middle of the button's height.
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() +
                             std::floor((look.px(arch_height) - look.line_height(Font::words, type::label)) * 0.5F));
        ImGui::TextUnformatted(fmt::format("by {}", listing->assembler).c_str());
        tip(look,
            "The PTX that the emulator executes, assembled as the driver does when it loads PTX. A driver of another "
            "version may assemble it differently.");
        ImGui::TextUnformatted(resources_.c_str());
        ImGui::PushStyleColor(ImGuiCol_Text, look.color(Role::text));
        ImGui::TextUnformatted(text_.sentence_of(workspace.next_ptx_line()).c_str());
        ImGui::PopStyleColor();
    } else {
        ImGui::TextUnformatted("Assembling the PTX.");
    }
    ImGui::PopStyleColor();
    ImGui::PopTextWrapPos();
    ImGui::EndGroup();
    ImGui::PopStyleVar();
}

}  // namespace lanescope::ui
