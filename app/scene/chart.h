// Small charts of numbers by category, as shapes: bars, stacked where there are several series, or lines for shares.
#pragma once

#include "scene/layers.h"
#include "scene/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

struct Series {
    std::string name;
    Role role = Role::useful;
    std::vector<double> values;  ///< one a category: the executed part; in lines infinite where it is not known
    std::vector<double> whole;   ///< the final values
};

struct Chart {
    enum class Kind : std::uint8_t { bars, lines };
    Kind kind = Kind::bars;
    std::string title;
    std::string term;  ///< its term in the glossary
    bool percent = false;
    std::vector<std::string> labels;   ///< of the categories
    std::vector<std::string> ticks_x;  ///< the same, shortened for the axis
    std::vector<Series> series;
    std::size_t reached = 0;             ///< categories that have begun; the rest is a ghost
    std::optional<std::size_t> current;  ///< the current one

    /// The end of the axis: a round number that no value exceeds, and 100 for percentages.
    [[nodiscard]] double top() const;
    /// The numbers of the axis: at its ends, and in the middle where that is a whole number.
    [[nodiscard]] std::vector<double> ticks() const;
};

/// References: chart (row = the category, column = `number`), heading with row 1 (column = `number`): the title.
void draw_chart(Layer& layer, const Box& box, const Chart& chart, std::size_t number = 0);

/// Which of the labels fit side by side, a gap between them, when category i is at first + i * step: all, or every
/// second, third... All in points.
[[nodiscard]] std::vector<std::size_t> labels_that_fit(const std::vector<std::string>& labels, float first, float step,
                                                       float size);

}  // namespace lanescope::scene
