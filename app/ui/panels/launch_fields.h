// The fields of the launch bar, and the lists that open below them.
#pragma once

#include "ui/panels/bar_item.h"

#include <array>
#include <string>

namespace lanescope::ui {

class LaunchFields {
  public:
    [[nodiscard]] BarItem program(Context& context, float width);
    [[nodiscard]] BarItem kernel(Context& context);
    /// A field of text; `meaning` is its tooltip.
    [[nodiscard]] BarItem text(Context& context, Field field, const char* label, const char* meaning,
                               float value_points);
    [[nodiscard]] BarItem view(Context& context, bool brief);
    /// Which block of which launch the panels show.
    [[nodiscard]] BarItem block(Context& context, bool bare);

  private:
    std::array<std::string, static_cast<std::size_t>(Field::count)> typed_;
    std::array<bool, static_cast<std::size_t>(Field::count)> typing_{};
};

}  // namespace lanescope::ui
