// scene::XyPlot on the screen, by ImPlot: the same plots as in pictures, to zoom into, to point at and to switch.
#pragma once

#include "scene/xy_plot.h"
#include "ui/look.h"
#include "ui/panels/plot_style.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ImPlotContext;

namespace lanescope::ui {

class XyPlots {
  public:
    /// Of a plot's words, points: as large as it is.
    [[nodiscard]] static constexpr float em_for(float width) {
        return width >= 1000 ? 14 : width >= 600 ? 12 : PlotStyle::tick_em;
    }

    XyPlots();
    ~XyPlots();
    XyPlots(const XyPlots&) = delete;
    XyPlots& operator=(const XyPlots&) = delete;

    /// What the mouse is at.
    struct Under {
        std::size_t series = 0, point = 0;  ///< of the plot
    };
    struct Answer {
        std::optional<Under> under;
        bool clicked = false;  ///< and not dragged
    };
    /// Draws into the box at `at`, pixels. `id`: another view for another id.
    Answer draw(const Look& look, const scene::XyPlot& plot, const std::string& id, ImVec2 at, ImVec2 size);
    /// `plot` with its axes as they are on the screen.
    [[nodiscard]] scene::XyPlot as_seen(scene::XyPlot plot) const;
    /// Everything in sight again, from the next frame on.
    void fit() { shown_id_.clear(); }

    /// The names of series and rules, each a switch; scrolls where there are many. The id that was clicked.
    /// How wide its names want it to be, within these bounds, pixels.
    [[nodiscard]] static float legend_width(const Look& look, const scene::XyPlot& plot, float em, float least,
                                            float most);
    [[nodiscard]] static std::optional<std::string> legend(const Look& look, const scene::XyPlot& plot, float em,
                                                           ImVec2 at, ImVec2 size);

  private:
    struct Range {
        double low = 0, high = 0;
    };
    ImPlotContext* context_;
    std::string shown_id_;   // whose limits stand,
    unsigned shown_in_ = 0;  // and in which window
    Range x_, y_;            // as drawn last, for the numbers at the axes
};

}  // namespace lanescope::ui
