// scene::Chart on the screen, by ImPlot: the same charts as in pictures, with a mouse.
#pragma once

#include "scene/chart.h"
#include "ui/look.h"

#include <cstddef>
#include <memory>
#include <optional>

struct ImPlotContext;

namespace lanescope::ui {

/// ImPlot's state; one for all plots of a panel.
class Plots {
  public:
    Plots();
    ~Plots();
    Plots(const Plots&) = delete;
    Plots& operator=(const Plots&) = delete;

    /// Draws the chart without its title into the box at `at`, pixels. The category under the mouse, if it is over one.
    std::optional<std::size_t> draw(const Look& look, const scene::Chart& chart, ImVec2 at, ImVec2 size);

  private:
    ImPlotContext* context_;
};

}  // namespace lanescope::ui
