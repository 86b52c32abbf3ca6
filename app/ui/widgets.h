// The controls of the window, drawn flat in the colors of the roles. Sizes in pixels unless noted.
#pragma once

#include "ui/look.h"

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::ui {

/// Drawn as shapes: no icon font, and they scale with the interface.
enum class Icon : std::uint8_t {
    none,
    to_start,
    back,
    play,
    pause,
    forward,
    to_end,
    sun,
    moon,
    question,
    check,
    cross,
    warning,
    ring,
    down,
    fit,
    fit_width,
    plus,
    minus
};
void draw_icon(ImDrawList* list, Icon icon, ImVec2 center, float size, ImU32 color);

struct ButtonLook {
    bool primary = false;  ///< filled, the main action
    bool quiet = false;    ///< no frame until the mouse is over it
    bool enabled = true;
    float height = control_height;  ///< points
    std::string_view room_for{};    ///< at least as wide as with this label
};
/// Icons before and after the label; each of the three is optional.
[[nodiscard]] ImVec2 button_size(const Look& look, std::string_view label, Icon before, Icon after,
                                 const ButtonLook& how = {});
bool button(const Look& look, const char* id, std::string_view label, Icon before = Icon::none, Icon after = Icon::none,
            const ButtonLook& how = {});

/// The words of a choice, written in place or made from a table.
class Labels : public std::span<const std::string_view> {
  public:
    Labels(std::initializer_list<std::string_view> labels) : span(labels.begin(), labels.size()) {}
    Labels(const std::vector<std::string_view>& labels) : span(labels) {}
};

/// The width of segmented(), pixels; `em` in points.
[[nodiscard]] float segmented_width(const Look& look, Labels labels, float em = type::label);
/// A segmented choice: "as written | as compiled". Returns the clicked index if it is not the selected one.
std::optional<int> segmented(const Look& look, const char* id, Labels labels, int selected,
                             float height = control_height, float em = type::label);

/// A segmented choice where it fits into `width` pixels, else a button that opens a list.
std::optional<int> choice(const Look& look, const char* id, Labels labels, int selected, float height, float width);
/// The width of choice(), pixels.
[[nodiscard]] float choice_width(const Look& look, Labels labels, int selected, float height, float width);

/// Begins a dialog in the middle of the window; ImGui::End() ends it. `width`: points, less where the window has no
/// room.
void begin_dialog(const Look& look, const char* name, float width);
/// The answer to a dialog in this frame.
enum class Answer : std::uint8_t { none, save, cancel };
/// Its buttons Cancel and Save, up to `right`, pixels. Escape cancels as well.
[[nodiscard]] Answer dialog_buttons(const Look& look, float right);

/// A state with an icon: never color alone.
struct Badge {
    Icon icon = Icon::none;
    scene::Role role = scene::Role::soft;
    std::string text;
};
[[nodiscard]] float badge_width(const Look& look, const Badge& badge);
/// True when clicked.
bool badge(const Look& look, const char* id, const Badge& badge);

/// A tooltip for the previous item; where facts are docked, words in their strip.
void tip(const Look& look, std::string_view text);

/// Names and values; the first pair is the headline, "name = value".
using Facts = std::vector<std::pair<std::string, std::string>>;
/// A rectangle, pixels.
struct Area {
    ImVec2 low, high;
};
/// A tooltip at the mouse that lists them, placed beside `clear`.
void fact_sheet(const Look& look, const Facts& facts, const std::optional<Area>& clear = std::nullopt);

/// The text of an empty panel, wrapped.
void note(const Look& look, std::string_view text);

/// The text, elided to at most `width`.
[[nodiscard]] std::string elided(const Look& look, scene::Font font, float em, std::string_view text, float width);

}  // namespace lanescope::ui
