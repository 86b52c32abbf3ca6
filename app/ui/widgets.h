// The few controls that the window is made of, drawn flat in the colours of the roles. Sizes are pixels unless said.
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

/// Simple shapes: no icon font has to be shipped, and they scale with everything else.
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
void draw_icon(ImDrawList* list, Icon icon, ImVec2 centre, float size, ImU32 color);

struct ButtonLook {
    bool primary = false;  ///< filled with the colour of what is useful now
    bool quiet = false;    ///< no frame until the mouse is over it
    bool enabled = true;
    float height = control_height;  ///< points
    std::string_view room_for{};    ///< as wide as this label would make it, too
};
/// Icons stand before and after the label; any of the three may be missing.
[[nodiscard]] ImVec2 button_size(const Look& look, std::string_view label, Icon before, Icon after,
                                 const ButtonLook& how = {});
bool button(const Look& look, const char* id, std::string_view label, Icon before = Icon::none, Icon after = Icon::none,
            const ButtonLook& how = {});

/// One of a few: "as written | as compiled". The index that was clicked, if another.
[[nodiscard]] float segmented_width(const Look& look, std::initializer_list<std::string_view> labels,
                                    float em = type::label);
std::optional<int> segmented(const Look& look, const char* id, std::initializer_list<std::string_view> labels,
                             int selected, float height = control_height, float em = type::label);

/// The same where there may be less room than `width` pixels: then the chosen label opens a list of all.
std::optional<int> choice(const Look& look, const char* id, std::initializer_list<std::string_view> labels,
                          int selected, float height, float width);
/// How wide choice() will be, pixels.
[[nodiscard]] float choice_width(const Look& look, std::initializer_list<std::string_view> labels, int selected,
                                 float height, float width);

/// A word of state with its sign: never colour alone.
struct Badge {
    Icon icon = Icon::none;
    scene::Role role = scene::Role::soft;
    std::string text;
};
[[nodiscard]] float badge_width(const Look& look, const Badge& badge);
/// True when clicked.
bool badge(const Look& look, const char* id, const Badge& badge);

/// A tooltip for the item before, in lines; the first is set in medium.
void tip(const Look& look, std::string_view text);

/// Everything about a thing, name by name; the first pair is the headline, "name = value".
using Facts = std::vector<std::pair<std::string, std::string>>;
/// What lies between two corners, pixels.
struct Area {
    ImVec2 low, high;
};
/// A tooltip at the mouse that lists them; beside `clear`, which must stay in sight.
void fact_sheet(const Look& look, const Facts& facts, const std::optional<Area>& clear = std::nullopt);

/// What an empty panel says: soft, wrapped, where its content would begin.
void note(const Look& look, std::string_view text);

/// The text cut with an ellipsis so that it is at most `width` wide.
[[nodiscard]] std::string elided(const Look& look, scene::Font font, float em, std::string_view text, float width);

}  // namespace lanescope::ui
