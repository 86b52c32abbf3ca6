// The bar at the top: kernel, sizes, input, view, the verdict, menus, theme and help. Errors hang below their fields,
// so that nothing moves.
#pragma once

#include "ui/panels/bar_item.h"
#include "ui/panels/launch_fields.h"
#include "ui/panels/launch_more.h"

#include <vector>

namespace lanescope::ui {

class Shell;

/// Lays the items out in rows, in as many words as there is room for.
class LaunchBar {
  public:
    /// Draws at the top of the window; returns its height in pixels.
    /// `folded`: in one line of few words, which a click unfolds.
    float draw(Context& context, Shell& shell, ImVec2 at, float width, bool folded);

  private:
    /// Rows from left to right; the right group is in the first row with room for it, or in its own.
    struct Rows {
        std::vector<std::vector<const BarItem*>> rows;
        std::size_t right = 0;  ///< the row of that group
    };
    /// `right`: the width of the group; all in pixels.
    [[nodiscard]] static Rows in_rows(const std::vector<BarItem>& left, float right, float room, float space);
    [[nodiscard]] static Rows in_one_row(const std::vector<BarItem>& left);
    [[nodiscard]] static float least_name(Brevity brief);  ///< width of the kernel's name, points
    [[nodiscard]] std::vector<BarItem> left_items(Context& context, Shell& shell, float room, Brevity brief);
    [[nodiscard]] static std::vector<BarItem> right_items(Context& context, Shell& shell, Brevity brief);

    /// The launch in a few words; a click on it unfolds the bar.
    [[nodiscard]] BarItem summary(Context& context);
    [[nodiscard]] std::vector<BarItem> folded_items(Context& context, Shell& shell, float room, Brevity brief);
    [[nodiscard]] BarItem fold(const Look& look);

    bool unfolded_ = false;
    LaunchFields fields_;
    LaunchMore more_;
};

}  // namespace lanescope::ui
