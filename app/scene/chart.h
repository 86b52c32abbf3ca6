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
    std::vector<double> values;  ///< one a category: what has come so far
    std::vector<double> whole;   ///< what it will come to
};

struct Chart {
    enum class Kind : std::uint8_t { bars, lines };
    Kind kind = Kind::bars;
    std::string title;
    std::string term;  ///< the word of the field that explains it
    bool percent = false;
    std::vector<std::string> labels;   ///< of the categories
    std::vector<std::string> ticks_x;  ///< the same as short as the axis has them
    std::vector<Series> series;
    std::size_t reached = 0;             ///< categories that have begun; the rest is a ghost
    std::optional<std::size_t> current;  ///< the one under way

    /// The end of the axis: a round number that no value exceeds, and 100 of percents.
    [[nodiscard]] double top() const;
    /// Where the axis has numbers: at its ends, and in the middle where that is a whole number.
    [[nodiscard]] std::vector<double> ticks() const;
};

/// References: chart (row = the category, column = `number`), heading with row 1 (column = `number`): the title.
void draw_chart(Layer& layer, const Box& box, const Chart& chart, std::size_t number = 0);

/// Which of the labels have room side by side, a gap between them, when category i stands at first + i * step: all, or
/// every second, third... All in points.
[[nodiscard]] std::vector<std::size_t> labels_that_fit(const std::vector<std::string>& labels, float first, float step,
                                                       float size);

}  // namespace lanescope::scene
