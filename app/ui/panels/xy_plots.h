// scene::XyPlot on the screen, by ImPlot: the same plots as in pictures, to zoom into, to point at and to switch.
#pragma once

#include "scene/xy_plot.h"
#include "ui/look.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ImPlotContext;

namespace lanescope::ui {

/// A point that stays named.
struct Pin {
    std::size_t source = 0;
    std::string text;
    friend bool operator==(const Pin&, const Pin&) = default;
};

class XyPlots {
  public:
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
    /// Draws into the box at `at`, pixels. `id`: another view for another id; `selected`: a point's source, ringed.
    Answer draw(const Look& look, const scene::XyPlot& plot, const std::string& id, ImVec2 at, ImVec2 size,
                std::optional<std::size_t> selected, const std::vector<Pin>& pins);
    /// Everything in sight again, from the next frame on.
    void fit() { shown_id_.clear(); }

    /// The names of series and rules, each a switch; scrolls where there are many. The id that was clicked.
    [[nodiscard]] static std::optional<std::string> legend(const Look& look, const scene::XyPlot& plot, ImVec2 at,
                                                           ImVec2 size);

  private:
    struct Range {
        double low = 0, high = 0;
    };
    ImPlotContext* context_;
    std::string shown_id_;  // whose limits stand
    Range x_, y_;           // as drawn last, for the numbers at the axes
};

}  // namespace lanescope::ui
