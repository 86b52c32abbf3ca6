// Points and lines over two logarithmic axes, as data and as shapes, with the movements of its axes and a legend of
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

/// Shapes distinguish what colors alone cannot.
enum class Marker : std::uint8_t { none, disc, square, ring, frame, diamond };
inline constexpr float marker_radius = 3.2F, current_radius = 4.4F, cross_radius = 6.5F;  // points

struct PlotPoint {
    static constexpr std::size_t no_source = ~std::size_t{0};
    double x = 0, y = 0;
    double low = 0, high = 0;        ///< of y: the spread; both equal y where there is none
    std::size_t source = no_source;  ///< its origin: a number that the plot's maker gives it
    bool wrong = false;              ///< crossed out: its result is wrong
};

struct PlotSeries {
    std::string id;         ///< the same in every plot
    std::string name;       ///< in the legend
    std::string details{};  ///< a tooltip, a sentence; mostly empty
    Role role = Role::useful;
    Marker marker = Marker::disc;
    bool line = true;                 ///< lines join its points
    bool dashed = false;              ///< ceilings, estimates; kernels beyond the number of signs
    bool named = false;               ///< its name is at its last point, too
    std::optional<Role> highlight{};  ///< the color of the window's kernel, or of a compared one
    bool shown = true;                ///< false: it is in the legend only
    std::vector<PlotPoint> points;    ///< by x
    [[nodiscard]] bool is_highlighted() const { return highlight.has_value(); }
};

/// A straight line between two points of the plot, with its name at the first.
struct PlotRule {
    std::string id, name;
    std::string brief;     ///< the name where the long one would cover measurements; empty: none
    std::string switched;  ///< the name of its switch; rules of one id share it
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    Role role = Role::soft;
    bool shown = true;
    std::string details;  ///< a tooltip, a sentence
};

struct PlotAxis {
    enum class Kind : std::uint8_t { powers_of_two, decimal };
    Kind kind = Kind::decimal;
    std::string title;
    double low = 1, high = 10;  ///< above 0, low < high

    /// About `most` numbers between two values of the axis, with their texts.
    [[nodiscard]] std::vector<std::pair<double, std::string>> ticks(double from, double to, unsigned most) const;
    /// A value as text: "2²⁴", "753.6".
    [[nodiscard]] std::string text(double value) const;
    /// The position of a value in 0..1.
    [[nodiscard]] double share(double value) const;

    /// Moves the view by a share of the axis: by 0.1, the value at 0.5 moves to 0.6.
    void pan(double by);
    /// Shows `factor` times as many decades; the value at share `at` stays there.
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
    std::string lacks;                    ///< why the plot is empty; empty otherwise

    /// Sets the axes to the shown points.
    void fit();
    /// The series that are named at their last points, the window's kernel first: where it is crowded, only the first
    /// ones are.
    [[nodiscard]] std::vector<const PlotSeries*> named() const;
};

/// The text size of a plot, points: larger the wider it is with its legend, for the back row.
[[nodiscard]] float plot_text_size(float width);

/// The plot without its title and its legend. References: point (row = the series, column = the point), plot (column 0:
/// within the axes, 1: beside the x axis, 2: beside the y axis).
void draw_plot(Scene& scene, const Box& box, const XyPlot& plot, float text_size);

/// A row of the legend: a series, or the rules of one id.
struct LegendEntry {
    std::string id, name, details;
    bool shown = true, current = false;
    const PlotSeries* series = nullptr;  ///< nothing: a rule's
    Role role = Role::soft;
};
/// `switches`: all series and rules, shown or not; otherwise only the shown series.
[[nodiscard]] std::vector<LegendEntry> legend_of(const XyPlot& plot, bool switches);

struct LegendOptions {
    bool switches = false;               ///< as in legend_of
    float scroll = 0;                    ///< points; kept within its bounds
    std::optional<std::size_t> hovered;  ///< entry under the mouse
};
/// References: series (row = the entry). Where the legend is higher than its box, it is viewport 0.
void draw_legend(Scene& scene, const Box& box, const XyPlot& plot, float text_size, const LegendOptions& options);

/// The height of all rows of the legend, points.
[[nodiscard]] float legend_height(const XyPlot& plot, bool switches, float text_size);

/// The preferred width of the legend, points, from `least` to `most`.
[[nodiscard]] float legend_width(const XyPlot& plot, bool switches, float text_size, float least, float most);

}  // namespace lanescope::scene
