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
    std::vector<double> values;  ///< one a category: the executed part; in lines, infinity where it is unknown
    std::vector<double> whole;   ///< the final values
};

struct Chart {
    enum class Kind : std::uint8_t { bars, lines };
    Kind kind = Kind::bars;
    std::string title;
    std::string term;  ///< the glossary's term for it
    bool percent = false;
    std::vector<std::string> labels;   ///< of the categories
    std::vector<std::string> ticks_x;  ///< the same, shortened for the axis
    std::vector<Series> series;
    std::size_t reached = 0;             ///< categories that have begun; the rest is drawn as a ghost
    std::optional<std::size_t> current;  ///< the current one

    /// The end of the axis: a round number that no value exceeds; 100 for percentages.
    [[nodiscard]] double top() const;
    /// The numbers on the axis: at its ends and, where that is a whole number, in the middle.
    [[nodiscard]] std::vector<double> ticks() const;
};

/// References: chart (row = the category, column = `number`), heading with row 1 (column = `number`): the title.
void draw_chart(Layer& layer, const Box& box, const Chart& chart, std::size_t number = 0);

/// The labels that fit side by side with a gap between them, where category i is at first + i * step: all, or every
/// second, third and so on. All in points.
[[nodiscard]] std::vector<std::size_t> labels_that_fit(const std::vector<std::string>& labels, float first, float step,
                                                       float size);

}  // namespace lanescope::scene
