// Points and lines over two logarithmic axes, as data and as shapes; with the moves of its axes and its legend of
// switches.
#pragma once

#include "scene/layers.h"
#include "scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::scene {

/// Shapes tell what colours alone could not.
enum class Marker : std::uint8_t { none, disc, square, ring, frame };
inline constexpr float marker_radius = 3.2F, current_radius = 4.4F, cross_radius = 6.5F;  // points

struct PlotPoint {
    static constexpr std::size_t no_source = ~std::size_t{0};
    double x = 0, y = 0;
    double low = 0, high = 0;        ///< of y: the spread; both y where there is none
    std::size_t source = no_source;  ///< where it comes from, to whoever made the plot
    bool wrong = false;              ///< crossed out: what it is a time of is not right
};

struct PlotSeries {
    std::string id;       ///< the same in every plot
    std::string name;     ///< in the legend
    std::string tells{};  ///< more of it, a sentence; mostly empty
    Role role = Role::useful;
    Marker marker = Marker::disc;
    bool line = true;               ///< its points are joined
    bool dashed = false;            ///< not measured kernels: ceilings, estimates
    bool named = false;             ///< its name stands at its last point, too
    bool current = false;           ///< what the window shows
    bool shown = true;              ///< else in the legend only
    std::vector<PlotPoint> points;  ///< by x
};

/// A straight line between two points of the plot, with its name at the first.
struct PlotRule {
    std::string id, name;
    std::string brief;     ///< the name where that would cover what was measured; empty: none
    std::string switched;  ///< what its switch is called; rules of one id share it
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    Role role = Role::soft;
    bool shown = true;
    std::string tells;  ///< more of it, a sentence
};

struct PlotAxis {
    enum class Kind : std::uint8_t { powers_of_two, decimal };
    Kind kind = Kind::decimal;
    std::string title;
    double low = 1, high = 10;  ///< above 0, low < high

    /// Where numbers stand between two values of the axis, about `most` of them, and what they say.
    [[nodiscard]] std::vector<std::pair<double, std::string>> ticks(double from, double to, unsigned most) const;
    /// A value as text: "2²⁴", "753.6".
    [[nodiscard]] std::string text(double value) const;
    /// Where in 0..1 a value lies.
    [[nodiscard]] double share(double value) const;

    /// Moves what is seen by a share of the axis: by 0.1, what lay at 0.5 lies at 0.6.
    void pan(double by);
    /// Shows `factor` times as much, in decades; what lies at share `at` stays there.
    void zoom(double at, double factor);
};

/// A point that stays named.
struct PlotPin {
    std::size_t source = 0;
    std::string text;
    friend bool operator==(const PlotPin&, const PlotPin&) = default;
};

struct XyPlot {
    std::string title;
    PlotAxis x, y;
    std::vector<PlotSeries> series;
    std::vector<PlotRule> rules;
    std::vector<PlotPin> pins;
    std::optional<std::size_t> selected;  ///< a point's source, ringed
    std::string lacks;                    ///< why there is nothing to see; empty otherwise

    /// Sets the axes to what is shown.
    void fit();
    /// The series whose names stand at their last points, what the window shows first: where it is crowded, the first
    /// are named.
    [[nodiscard]] std::vector<const PlotSeries*> named() const;
};

/// Of a plot's words, points: the wider it is with its legend, the larger, for the back row.
[[nodiscard]] float plot_text_size(float width);

/// The plot without its title and its legend. References: point (row = the series, column = the point), plot (column 0:
/// within the axes, 1: beside the x axis, 2: beside the y axis).
void draw_plot(Scene& scene, const Box& box, const XyPlot& plot, float text_size);

/// A row of the legend: a series, or the rules of one id.
struct LegendEntry {
    std::string id, name, tells;
    bool shown = true, current = false;
    const PlotSeries* series = nullptr;  ///< nothing: of a rule
    Role role = Role::soft;
};
/// With switches: of all series and rules, shown or not; else of the series that are shown.
[[nodiscard]] std::vector<LegendEntry> legend_of(const XyPlot& plot, bool switches);

struct LegendOptions {
    bool switches = false;               ///< as in legend_of
    float scroll = 0;                    ///< points; kept within its bounds
    std::optional<std::size_t> hovered;  ///< entry under the mouse
};
/// References: series (row = the entry). Where it is higher than its box, that is viewport 0.
void draw_legend(Scene& scene, const Box& box, const XyPlot& plot, float text_size, const LegendOptions& options);

/// How wide its names want it to be, within these bounds.
[[nodiscard]] float legend_width(const XyPlot& plot, bool switches, float text_size, float least, float most);

}  // namespace lanescope::scene
