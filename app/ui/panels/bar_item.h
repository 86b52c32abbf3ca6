// The items side by side in the bar at the top of the window.
#pragma once

#include "ui/panel.h"
#include "ui/widgets.h"

#include <functional>
#include <optional>
#include <vector>

namespace lanescope::ui {

inline constexpr float bar_item_gap = 8;  ///< points

/// An item of the bar, drawn at the cursor.
struct BarItem {
    float width = 0;
    std::function<void()> draw;
    Field field = Field::count;           ///< count: none
    std::optional<Problem> problem = {};  ///< why its text was refused
    bool launches = false;                ///< configures the launch, disabled for a saved trace
};

/// Which labels are shortened where there is little room.
struct Brevity {
    bool badges = false, menu = false, view = false;
    bool bare = false;  ///< without the labels that a tooltip explains
};

/// The width of all of them, with a gap after each; pixels.
[[nodiscard]] float total_width(const Look& look, const std::vector<BarItem>& items);

/// Top of a line of text that is centered in a control at `top`, pixels.
[[nodiscard]] float centered_in_control(const Look& look, scene::Font font, float em, float top);

}  // namespace lanescope::ui
