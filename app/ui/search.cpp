#include "ui/search.h"

#include "session/place_link.h"
#include "ui/commands.h"
#include "ui/completion.h"
#include "ui/shell.h"
#include "ui/widgets.h"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float search_width = 640, from_top = 64, field_height = 40, search_padding = 14;
constexpr int detail_counts = 3;  // a match of the detail counts a third

/// Tab completes the current entry; only a callback can replace the text of the field.
int replace_text(ImGuiInputTextCallbackData* data) {
    auto& replacement = *static_cast<std::string*>(data->UserData);
    if (replacement.empty()) return 0;
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, replacement.c_str());
    replacement.clear();
    return 0;
}

}  // namespace

void Search::open(std::string text) {
    open_ = opened_now_ = stale_ = true;
    text_ = std::move(text);
    replacement_.clear();
    current_ = 0;
}

void Search::list_paths() {
    for (const std::string& path : paths_like(text_)) {
        Entry entry{.name = path, .detail = {}, .keys = {}, .enabled = true, .act = {}, .completes = {}};
        if (path.ends_with('/')) {
            entry.completes = path;
        } else {
            entry.act = [path](Shell& shell) { shell.open(spelled_out(path)); };
        }
        entries_.push_back(std::move(entry));
    }
}

void Search::list_commands(const Shell& shell) {
    std::vector<std::pair<int, Entry>> found;
    const auto consider = [&](Entry entry) {
        const auto name = fit(text_, entry.name), detail = fit(text_, entry.detail);
        if (!name && !detail) return;
        const int score = std::max(name.value_or(0), detail.value_or(0) / detail_counts);
        found.emplace_back(score, std::move(entry));
    };
    for (const Command& command : commands()) {
        if (command.choices != nullptr) {
            for (Choice& choice : command.choices(shell)) {
                consider({.name = fmt::format("{} {}", command.verb, choice.name),
                          .detail = std::move(choice.detail),
                          .keys = {},
                          .enabled = true,
                          .act = std::move(choice.act),
                          .completes = {}});
            }
            continue;
        }
        consider({.name = std::string(command.name),
                  .detail = std::string(command.menu),
                  .keys = std::string(command.key.shown),
                  .enabled = possible(command, shell),
                  .act = command.act,
                  .completes = {}});
    }
    std::ranges::stable_sort(found, std::ranges::greater{}, &std::pair<int, Entry>::first);
    for (auto& [score, entry] : found) entries_.push_back(std::move(entry));
}

void Search::collect(const Shell& shell) {
    if (!stale_ && collected_for_ == text_) return;
    stale_ = false;
    collected_for_ = text_;
    entries_.clear();
    current_ = 0;
    scroll_ = true;
    if (session::is_link(text_)) {
        entries_.push_back({.name = "Open link",
                            .detail = text_,
                            .keys = {},
                            .enabled = true,
                            .act = [link = text_](Shell& each) { each.open(link); },
                            .completes = {}});
    } else if (is_path(text_)) {
        list_paths();
    } else {
        list_commands(shell);
    }
}

bool Search::row(const Look& look, const Entry& entry, bool current) {
    const float width = ImGui::GetContentRegionAvail().x, pad = look.px(search_padding), height = look.px(30);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool clicked = ImGui::InvisibleButton(entry.name.c_str(), {width, height}) && entry.enabled;
    if (current && std::exchange(scroll_, false)) ImGui::SetScrollHereY(0.5F);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (current || ImGui::IsItemHovered()) {
        list->AddRectFilled(at, {at.x + width, at.y + height},
                            current ? look.color(Role::useful, 0.20F) : look.color(Role::raised),
                            look.px(control_radius));
    }
    const auto top = [&](Font font, float em) { return at.y + (height - look.line_height(font, em)) * 0.5F; };
    float right = at.x + width - pad;
    if (!entry.keys.empty()) {
        const float keys = look.text_width(Font::code, type::label, entry.keys);
        look.text(list, Font::code, type::label, {right - keys, top(Font::code, type::label)}, look.color(Role::soft),
                  entry.keys);
        right -= keys + pad;
    }
    const ImU32 ink = look.color(Role::text, entry.enabled ? 1 : 0.4F);
    const std::string name =
        elided(look, Font::words_medium, type::body, entry.name, std::max(right - at.x - pad, look.px(40)));
    const float end =
        at.x + pad +
        look.text(list, Font::words_medium, type::body, {at.x + pad, top(Font::words_medium, type::body)}, ink, name);
    const float left = right - end - pad;
    if (!entry.detail.empty() && left > look.px(40)) {
        look.text(list, Font::words, type::label, {end + pad, top(Font::words, type::label)}, look.color(Role::soft),
                  elided(look, Font::words, type::label, entry.detail, left));
    }
    return clicked;
}

void Search::choose(Shell& shell, const Entry& entry) {
    if (!entry.completes.empty()) {
        replacement_ = entry.completes;
        return;
    }
    if (!entry.enabled) return;
    open_ = false;
    entry.act(shell);
}

void Search::draw(const Context& context, Shell& shell) {
    if (!open_) return;
    collect(shell);
    const Look& look = context.look;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const float width = std::min(look.px(search_width), viewport.Size.x - look.px(32));
    ImGui::SetNextWindowPos({viewport.Pos.x + (viewport.Size.x - width) * 0.5F, viewport.Pos.y + look.px(from_top)});
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport.Size.y - look.px(from_top + 32)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(8), look.px(8)});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
    ImGui::Begin("Search", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoDocking |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PopStyleVar(2);
    const bool appeared = std::exchange(opened_now_, false);
    if (appeared) ImGui::SetWindowFocus();

    bool entered = false;
    {
        const Type words(look, Font::words, type::heading);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                            {look.px(search_padding), (look.px(field_height) - ImGui::GetFontSize()) * 0.5F});
        ImGui::SetNextItemWidth(-1);
        if (appeared || !replacement_.empty()) ImGui::SetKeyboardFocusHere();
        if (!entries_.empty() && ImGui::IsKeyPressed(ImGuiKey_Tab) && !ImGui::GetIO().KeyCtrl && is_path(text_)) {
            replacement_ = entries_[current_].name;
        }
        entered = ImGui::InputTextWithHint("##text", "Command, kernel, panel, path of a file, or link", &text_,
                                           ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackAlways |
                                               ImGuiInputTextFlags_CallbackCompletion,
                                           replace_text, &replacement_);
        ImGui::PopStyleVar();
    }
    collect(shell);
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow) && current_ + 1 < entries_.size()) {
        ++current_;
        scroll_ = true;
    }
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow) && current_ > 0) {
        --current_;
        scroll_ = true;
    }

    std::optional<Entry> chosen;
    if (entered && current_ < entries_.size()) chosen = entries_[current_];
    const float rows = std::min(static_cast<float>(std::max<std::size_t>(entries_.size(), 1)), 12.0F);
    const float room = viewport.Size.y - look.px(from_top + field_height + 70);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    ImGui::BeginChild("found", {0, std::min(rows * look.px(30), std::max(room, look.px(60)))});
    for (std::size_t index = 0; index < entries_.size(); ++index) {
        ImGui::PushID(static_cast<int>(index));
        if (row(look, entries_[index], index == current_)) chosen = entries_[index];
        ImGui::PopID();
    }
    if (entries_.empty()) {
        look.text(ImGui::GetWindowDrawList(), Font::words, type::body,
                  {ImGui::GetCursorScreenPos().x + look.px(search_padding), ImGui::GetCursorScreenPos().y + look.px(6)},
                  look.color(Role::soft),
                  is_path(text_) ? "No folder and no .cu, .ptx, .md or .lanescope file matches." : "No match.");
    }
    ImGui::EndChild();
    ImGui::PopStyleVar();

    const bool elsewhere =
        !appeared && ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
        !ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
    const bool again = !appeared && ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_K);
    ImGui::End();
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) || elsewhere || again) open_ = false;
    if (chosen) choose(shell, *chosen);
}

}  // namespace lanescope::ui
