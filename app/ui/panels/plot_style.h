// How ImPlot's plots look here: no frames, soft numbers in the code face.
#pragma once

#include "ui/look.h"

namespace lanescope::ui {

/// Colours, sizes and the font of one plot; popped at the end of the scope.
class PlotStyle {
  public:
    static constexpr float tick_em = 10.5F;  ///< points

    /// `em`: of the numbers at the axes, points.
    explicit PlotStyle(const Look& look, float em = tick_em);
    ~PlotStyle();
    PlotStyle(const PlotStyle&) = delete;
    PlotStyle& operator=(const PlotStyle&) = delete;

  private:
    int colors_ = 0, sizes_ = 0;
};

}  // namespace lanescope::ui
