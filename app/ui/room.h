// How docked panels share the window: each says what its content needs, and one function divides the room.
#pragma once

namespace lanescope::ui {

/// The room that a panel, or several beside each other, need in one direction; points.
struct Need {
    float least = 0;   ///< with less, something important is cut
    float wanted = 0;  ///< all of the content at its usual size
    float grows = 0;   ///< its weight where the room that is left over is divided
    float tabs = 0;    ///< with less, the names of tabs are cut; at most `least`
    friend bool operator==(const Need&, const Need&) = default;
};

/// The room that a docked panel needs, with its title.
struct Needs {
    Need width{.least = 300, .wanted = 480, .grows = 1};
    Need height{.least = 180, .wanted = 300, .grows = 1};
    friend bool operator==(const Needs&, const Needs&) = default;
};

/// The need of two panels one after the other, in that direction.
[[nodiscard]] Need one_after_another(const Need& first, const Need& second);
/// The need of two panels side by side, across.
[[nodiscard]] Need side_by_side(const Need& first, const Need& second);

/// The part of `room` that the first of two gets: what it wants where there is room for both, and its part of the rest;
/// else its least and a part of the rest in proportion to what is missing; where not even that fits, in proportion to
/// the least, but with its tabs.
[[nodiscard]] float room_of_first(float room, const Need& first, const Need& second);

}  // namespace lanescope::ui
