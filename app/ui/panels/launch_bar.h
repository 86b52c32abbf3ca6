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
    float draw(Context& context, Shell& shell, ImVec2 at, float width);

  private:
    /// Rows from left to right; the right group is in the first row with room for it, or in its own.
    struct Rows {
        std::vector<std::vector<const BarItem*>> rows;
        std::size_t right = 0;  ///< the row of that group
    };
    /// `right`: the width of the group; all in pixels.
    [[nodiscard]] static Rows in_rows(const std::vector<BarItem>& left, float right, float room, float space);
    [[nodiscard]] static float least_name(Brevity brief);  ///< width of the kernel's name, points
    [[nodiscard]] std::vector<BarItem> left_items(Context& context, Shell& shell, float room, Brevity brief);
    [[nodiscard]] static std::vector<BarItem> right_items(Context& context, Shell& shell, Brevity brief);

    LaunchFields fields_;
    LaunchMore more_;
};

}  // namespace lanescope::ui
