#include "ui/panels/timing_omissions.h"

#include "base/grouped.h"
#include "timing/families.h"
#include "ui/panels/timing_controls.h"
#include "ui/widgets.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float omissions_width = 460, most_height = 420;  // points

template <class Value, class Text>
std::string joined(const std::vector<Value>& values, const Text& text) {
    std::string all;
    for (const Value& value : values) all += (all.empty() ? "" : ", ") + text(value);
    return all;
}

std::string sizes_of(const timing::OmissionGroup& group) {
    std::string text;
    if (!group.n.empty() && group.n.back() > 0) text = "N = " + joined(group.n, size_text);
    if (!group.block.empty() && group.block.back() > 0) {
        text += fmt::format("{}blocks of {}", text.empty() ? "" : "; ",
                            joined(group.block, [](std::uint32_t block) { return grouped(block); }));
    }
    return text;
}

}  // namespace

void draw_omissions(const Look& look, const timing::Recording& recording, std::string_view family,
                    const scene::TimingSubject& about, float right, float left) {
    std::vector<timing::OmissionGroup> groups = timing::omission_groups(recording);
    std::erase_if(groups, [&](const timing::OmissionGroup& group) {
        return !group.kernel.empty() && timing::family_of(group.kernel) != family;
    });
    std::size_t count = 0;
    for (const timing::OmissionGroup& group : groups) count += group.count;
    if (count == 0) return;
    const ButtonLook how{.quiet = true, .height = TimingControls::control};
    const std::string label = fmt::format("{} not timed", count);
    const ImVec2 size = button_size(look, label, Icon::none, Icon::down, how);
    if (right - size.x < left) return;
    ImGui::SetCursorScreenPos({right - size.x, ImGui::GetCursorScreenPos().y});
    ImGui::PushID("omissions");
    if (button(look, "##one", label, Icon::none, Icon::down, how)) ImGui::OpenPopup("all");
    tip(look, "Sizes and blocks of these kernels without a time in the recording, and why.");
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(14), look.px(10)});
    ImGui::SetNextWindowSizeConstraints({look.px(omissions_width), 0},
                                        {look.px(omissions_width), look.px(most_height)});
    if (ImGui::BeginPopup("all")) {
        const auto line = [&](Font font, float em, Role role, const std::string& text) {
            const Type type(look, font, em);
            ImGui::PushTextWrapPos(0);
            ImGui::PushStyleColor(ImGuiCol_Text, look.color4(role));
            ImGui::TextUnformatted(text.c_str());
            ImGui::PopStyleColor();
            ImGui::PopTextWrapPos();
        };
        for (const timing::OmissionGroup& group : groups) {
            line(Font::words_medium, type::label, group.fault ? Role::cost : Role::text,
                 group.kernel.empty() ? "The whole run" : scene::short_name(about, group.kernel));
            if (const std::string sizes = sizes_of(group); !sizes.empty())
                line(Font::words, type::small, Role::soft, sizes);
            line(Font::words, type::small, Role::text, group.why);
            ImGui::Dummy({1, look.px(5)});
        }
        ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    ImGui::PopID();
}

}  // namespace lanescope::ui
