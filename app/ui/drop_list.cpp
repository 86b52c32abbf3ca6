#include "ui/drop_list.h"

#include "ui/completion.h"
#include "ui/widgets.h"

#include <imgui_stdlib.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace lanescope::ui {

using scene::Font;
using scene::Role;

namespace {

constexpr float row_padding = 10, filter_height = 30, edge = 8;
constexpr std::size_t few = 9;        // so many entries are read at a glance: the filter appears on typing
constexpr std::ptrdiff_t a_page = 8;  // entries of Page Up and Page Down

// The typed text and the marked entry of the open list; a list closes before another one opens.
struct OpenList {
    std::string typed, filtered_for;
    std::size_t marked = 0;  // among the entries that fit
    bool begins = true, scroll = true;
};
OpenList open_now;

struct Found {
    std::size_t entry = 0;
    int score = 0;
};

// How well a word fits a text: at the beginning of a word of it, or within; nothing where it does not occur. Letters
// that merely follow each other somewhere, as in a search, would keep half of a list of sentences.
std::optional<int> fit_of(std::string_view word, std::string_view text) {
    const std::string all = lowered(text);
    const std::size_t at = all.find(word);
    if (at == std::string::npos) return {};
    const auto is_of_word = [](char letter) { return std::isalnum(static_cast<unsigned char>(letter)) != 0; };
    return at == 0 || !is_of_word(all[at - 1]) ? 2 : 1;
}

// The entries in which every typed word occurs, in their own order.
std::vector<Found> fitting(const std::vector<ListEntry>& entries, std::string_view typed) {
    std::vector<std::string> words;
    std::istringstream reads(lowered(typed));
    for (std::string word; reads >> word;) words.push_back(word);
    constexpr int of_name = 4;  // a match of the name counts more than one of what stands below it
    std::vector<Found> found;
    for (std::size_t index = 0; index < entries.size(); ++index) {
        const ListEntry& entry = entries[index];
        Found each{.entry = index};
        const bool fits = std::ranges::all_of(words, [&](const std::string& word) {
            const auto name = std::max(fit_of(word, entry.name), fit_of(word, entry.also));
            const auto detail = fit_of(word, entry.detail);
            each.score += std::max(of_name * name.value_or(0), detail.value_or(0));
            return name || detail;
        });
        if (fits) found.push_back(each);
    }
    return found;
}

float row_height(const Look& look, const ListEntry& entry) {
    return look.line_height(Font::words_medium, type::body) +
           (entry.detail.empty() ? 0 : look.line_height(Font::words, type::label)) + look.px(10);
}

float heading_height(const Look& look) { return look.line_height(Font::words, type::small) + look.px(4); }

float natural_width(const Look& look, const std::vector<ListEntry>& entries) {
    float width = look.px(96);
    for (const ListEntry& entry : entries)
        width = std::max({width, look.text_width(Font::words_medium, type::body, entry.name),
                          look.text_width(Font::words, type::label, entry.detail)});
    return width + look.px(2 * row_padding + ImGui::GetStyle().ScrollbarSize / look.scale() + 4);
}

// True when it was clicked.
bool draw_row(const Look& look, const ListEntry& entry, bool marked) {
    const float width = ImGui::GetContentRegionAvail().x, pad = look.px(row_padding), height = row_height(look, entry);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string& id = entry.also.empty() ? entry.name : entry.also;
    const bool clicked = ImGui::InvisibleButton(id.c_str(), {width, height});
    const bool hovered = ImGui::IsItemHovered();
    if (marked && std::exchange(open_now.scroll, false)) ImGui::SetScrollHereY(0.5F);
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (marked || hovered)
        list->AddRectFilled(at, {at.x + width, at.y + height},
                            marked ? look.color(Role::useful, 0.20F) : look.color(Role::raised), look.px(4));
    if (entry.current)
        list->AddRectFilled({at.x, at.y + look.px(6)}, {at.x + look.px(3), at.y + height - look.px(6)},
                            look.color(Role::useful), look.px(1.5F));
    const float title_height = look.line_height(Font::words_medium, type::body);
    look.text(list, Font::words_medium, type::body, {at.x + pad, at.y + look.px(5)}, look.color(Role::text),
              elided(look, Font::words_medium, type::body, entry.name, width - 2 * pad));
    if (!entry.detail.empty()) {
        look.text(list, Font::words, type::label, {at.x + pad, at.y + look.px(5) + title_height},
                  look.color(Role::soft), elided(look, Font::words, type::label, entry.detail, width - 2 * pad));
        if (hovered && look.text_width(Font::words, type::label, entry.detail) > width - 2 * pad)
            tip(look, entry.detail);
    }
    return clicked;
}

void draw_heading(const Look& look, std::string_view text) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    look.text(ImGui::GetWindowDrawList(), Font::words, type::small, {at.x + look.px(row_padding), at.y + look.px(4)},
              look.color(Role::soft), text);
    ImGui::Dummy({1, heading_height(look)});
}

// The filter has the focus as long as the list is open, so that keys are letters and no commands. It is visible in
// a long list, and in any list once something is typed. True on Enter.
bool draw_filter(const Look& look, std::size_t entries, bool appears) {
    const bool in_sight = entries > few || !open_now.typed.empty();
    // A click on a heading takes the focus.
    const bool lost = !ImGui::IsAnyItemActive() && !ImGui::IsMouseDown(ImGuiMouseButton_Left);
    if (appears || lost) ImGui::SetKeyboardFocusHere();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const Type words(look, Font::words, type::body);
    ImGui::PushStyleVar(ImGuiStyleVar_Alpha, in_sight ? 1.0F : 0.0F);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        {look.px(row_padding), in_sight ? (look.px(filter_height) - ImGui::GetFontSize()) * 0.5F : 0});
    ImGui::SetNextItemWidth(in_sight ? -1 : 1);
    // Up and Down belong to the list, also while Tab has given them to the controls.
    const auto keep_arrows = [](ImGuiInputTextCallbackData*) { return 0; };
    const bool entered = ImGui::InputTextWithHint(
        "##filter", "Type to filter", &open_now.typed,
        ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackHistory, keep_arrows);
    ImGui::PopStyleVar(2);
    if (!in_sight) ImGui::SetCursorScreenPos(at);
    return entered;
}

void move_mark(std::size_t count) {
    if (count == 0) return;
    const auto by = [&](std::ptrdiff_t entries) {
        const std::ptrdiff_t last = static_cast<std::ptrdiff_t>(count) - 1;
        open_now.marked = static_cast<std::size_t>(
            std::clamp(static_cast<std::ptrdiff_t>(open_now.marked) + entries, std::ptrdiff_t{0}, last));
        open_now.scroll = true;
    };
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) by(1);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) by(-1);
    if (ImGui::IsKeyPressed(ImGuiKey_PageDown)) by(a_page);
    if (ImGui::IsKeyPressed(ImGuiKey_PageUp)) by(-a_page);
}

// The current choice at first; after typing, the entry that fits best.
std::size_t first_mark(const std::vector<ListEntry>& entries, const std::vector<Found>& found) {
    const auto best = open_now.typed.empty()
                          ? std::ranges::find_if(found, [&](const Found& each) { return entries[each.entry].current; })
                          : std::ranges::max_element(found, {}, &Found::score);
    return best == found.end() ? 0 : static_cast<std::size_t>(best - found.begin());
}

}  // namespace

void open_list(const char* id) {
    open_now = {};
    ImGui::OpenPopup(id);
}

void drop_list(const Look& look, const char* id, ImVec2 at, const ListLook& how,
               const std::function<std::vector<ListEntry>()>& entries) {
    if (!ImGui::IsPopupOpen(id)) return;
    const ImGuiViewport& viewport = *ImGui::GetMainViewport();
    const std::vector<ListEntry> all = entries();
    const float width = std::min(how.width > 0 ? look.px(how.width) : natural_width(look, all) + look.px(2 * edge),
                                 viewport.Size.x - look.px(2 * edge));
    const float left = how.above ? at.x : std::min(at.x, viewport.Pos.x + viewport.Size.x - width - look.px(edge));
    ImGui::SetNextWindowPos({left, at.y}, ImGuiCond_Always, how.above ? ImVec2(1, 1) : ImVec2(0, 0));
    ImGui::SetNextWindowSizeConstraints({width, 0}, {width, viewport.Size.y});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look.px(edge), look.px(edge)});
    const bool open = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove);
    ImGui::PopStyleVar();
    if (!open) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});

    const bool entered = draw_filter(look, all.size(), std::exchange(open_now.begins, false));
    const std::vector<Found> found = fitting(all, open_now.typed);
    if (open_now.filtered_for != open_now.typed || ImGui::IsWindowAppearing()) {
        open_now.filtered_for = open_now.typed;
        open_now.marked = first_mark(all, found);
        open_now.scroll = true;
    }
    open_now.marked = std::min(open_now.marked, found.empty() ? 0 : found.size() - 1);
    move_mark(found.size());

    std::optional<std::size_t> chosen;
    if (entered && !found.empty()) chosen = found[open_now.marked].entry;
    float tall = found.empty() ? heading_height(look) + look.px(6) : 0;
    std::string_view group;
    const auto begins_group = [&](const ListEntry& entry) {
        return entry.group != std::exchange(group, entry.group) && !entry.group.empty();
    };
    for (const Found& each : found)
        tall += row_height(look, all[each.entry]) + (begins_group(all[each.entry]) ? heading_height(look) : 0);
    group = {};
    const float below = how.note.empty() ? 0 : heading_height(look);
    const float room = (how.above ? at.y - viewport.Pos.y : viewport.Pos.y + viewport.Size.y - at.y) -
                       look.px(filter_height + 3 * edge) - below;
    ImGui::BeginChild("entries", {0, std::min(tall, std::max(room, look.px(80)))});
    for (std::size_t index = 0; index < found.size(); ++index) {
        const ListEntry& entry = all[found[index].entry];
        if (begins_group(entry)) draw_heading(look, entry.group);
        ImGui::PushID(static_cast<int>(found[index].entry));  // two files may have one name
        if (draw_row(look, entry, index == open_now.marked)) chosen = found[index].entry;
        ImGui::PopID();
    }
    if (found.empty()) draw_heading(look, "No match.");
    ImGui::EndChild();
    if (!how.note.empty()) draw_heading(look, how.note);
    if (chosen || ImGui::IsKeyPressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    ImGui::PopStyleVar();
    ImGui::EndPopup();
    if (chosen && all[*chosen].act) all[*chosen].act();
}

}  // namespace lanescope::ui
