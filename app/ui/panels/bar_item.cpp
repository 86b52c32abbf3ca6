#include "ui/panels/bar_item.h"

#include <cmath>

namespace lanescope::ui {

float centered_in_control(const Look& look, scene::Font font, float em, float top) {
    return std::floor(top + (look.px(control_height) - look.line_height(font, em)) * 0.5F);
}

float total_width(const Look& look, const std::vector<BarItem>& items) {
    float sum = 0;
    for (const BarItem& item : items) sum += item.width + look.px(bar_item_gap);
    return sum;
}

}  // namespace lanescope::ui
