#include "ui/panels/source_find.h"

#include "base/grouped.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <utility>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float bar_height = 36, field_width = 260, control = 24;

bool same_letter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

}  // namespace

void SourceFind::open() {
    constexpr int frames_to_appear = 4;
    open_ = focus_ = true;
    in_view_until_ = ImGui::GetFrameCount() + frames_to_appear;
}

bool SourceFind::takes_keys() const { return open_ && (focus_ || active_) && ImGui::GetFrameCount() <= in_view_until_; }

float SourceFind::height(const Look& look) const { return open_ ? look.px(bar_height) : 0; }

void SourceFind::go(bool forwards) {
    if (matches_.empty()) return;
    current_ = (current_ + (forwards ? 1 : matches_.size() - 1)) % matches_.size();
    asked_ = true;
}

std::string SourceFind::count() const {
    if (words_.empty()) return {};
    return matches_.empty() ? "No match" : fmt::format("{} of {}", grouped(current_ + 1), grouped(matches_.size()));
}

void SourceFind::draw(const Look& look, float width) {
    if (!open_) return;
    in_view_until_ = std::max(in_view_until_, ImGui::GetFrameCount() + 1);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float tall = look.px(control), pad = look.px(card_padding);
    const float top = at.y + (look.px(bar_height) - tall) * 0.5F;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float buttons = 3 * (tall + look.px(4));
    const float counted = look.text_width(Font::words, type::label, "9999 of 9999") + look.px(gap);
    const float field =
        std::clamp(width - 2 * pad - buttons - counted, look.px(60), std::max(look.px(field_width), look.px(60)));
    {
        const Type code(look, Font::code, type::code);
        ImGui::SetCursorScreenPos({at.x + pad, top});
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                            {look.px(8), std::max((tall - ImGui::GetFontSize()) * 0.5F, 0.0F)});
        ImGui::SetNextItemWidth(field);
        if (focus_) ImGui::SetKeyboardFocusHere();
        ImGui::InputTextWithHint("##find", "Find", &words_, ImGuiInputTextFlags_AutoSelectAll);
        ImGui::PopStyleVar();
    }
    if (ImGui::IsItemActive()) focus_ = false;
    const bool typing = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
    active_ = ImGui::IsItemActive();
    if (typing && (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter))) {
        go(!ImGui::GetIO().KeyShift);
        focus_ = true;  // Enter leaves a field of ImGui
    }
    if (typing && ImGui::IsKeyPressed(ImGuiKey_Escape)) close();

    float x = at.x + pad + field + look.px(4);
    const auto control_at = [&](const char* id, Icon icon, bool enabled, const char* what) {
        ImGui::SetCursorScreenPos({x, top});
        const bool clicked =
            button(look, id, "", icon, Icon::none, {.quiet = true, .enabled = enabled, .height = control});
        tip(look, what);
        x = ImGui::GetItemRectMax().x + look.px(2);
        return clicked;
    };
    const bool any = !matches_.empty();
    if (control_at("##previous-match", Icon::back, any, "Previous match (Shift + Enter)")) go(false);
    if (control_at("##next-match", Icon::forward, any, "Next match (Enter)")) go(true);
    if (control_at("##close-find", Icon::cross, true, "Close (Escape)")) close();
    look.text(list, Font::words, type::label,
              {x + look.px(gap), at.y + (look.px(bar_height) - look.line_height(Font::words, type::label)) * 0.5F},
              look.color(words_.empty() || any ? Role::soft : Role::cost), count());
    list->AddLine({at.x, at.y + look.px(bar_height) - 1}, {at.x + width, at.y + look.px(bar_height) - 1},
                  look.color(Role::line));
    ImGui::SetCursorScreenPos({at.x, at.y + look.px(bar_height)});
}

void SourceFind::follow(std::span<const Searched> texts, std::uint64_t version) {
    if (!open_ || (searched_for_ == words_ && searched_in_ == version)) return;
    const bool new_words = searched_for_ != words_;
    searched_for_ = words_;
    searched_in_ = version;
    matches_.clear();
    for (const auto& [language, text] : texts) {
        if (words_.empty()) break;
        for (std::size_t index = 0; index < text->lines.size(); ++index) {
            const std::string& line = text->lines[index].text;
            for (auto from = line.begin();;) {
                const auto found = std::search(from, line.end(), words_.begin(), words_.end(), same_letter);
                if (found == line.end()) break;
                const auto begin = static_cast<std::size_t>(found - line.begin());
                matches_.push_back({language, static_cast<std::uint32_t>(index + 1), begin, begin + words_.size()});
                from = found + static_cast<std::ptrdiff_t>(words_.size());
            }
        }
    }
    if (new_words || current_ >= matches_.size()) current_ = 0;
    asked_ = new_words && !matches_.empty();
}

const SourceFind::Match* SourceFind::take_asked() {
    return std::exchange(asked_, false) && open_ && current_ < matches_.size() ? &matches_[current_] : nullptr;
}

std::span<const SourceFind::Match> SourceFind::on_line(Language language, std::uint32_t line) const {
    if (!open_) return {};
    const auto first = std::ranges::find_if(
        matches_, [&](const Match& match) { return match.language == language && match.line == line; });
    const auto last = std::find_if(
        first, matches_.end(), [&](const Match& match) { return match.language != language || match.line != line; });
    return {first, last};
}

}  // namespace lanescope::ui
