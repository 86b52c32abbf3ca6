// analysis::TheoryPicture -> tables of text, in the same words for the Theory panel and the report.
#pragma once

#include "analysis/panels/theory_picture.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::scene {

struct TheoryTable {
    struct Column {
        std::string upper, lower;  ///< the heading's two lines
        bool number = true;        ///< set to the right
    };
    struct Row {
        std::vector<std::string> cells;   ///< one a column
        std::optional<bool> agrees = {};  ///< with the closed form, which is the last cell; nothing: not compared
    };
    std::string title;
    std::vector<Column> columns;
    std::vector<Row> rows;
    std::vector<std::string> notes;  ///< below it, a sentence each
};

/// Work and span beside the lesson's closed forms.
[[nodiscard]] TheoryTable work_table(const analysis::TheoryPicture& picture);
/// Threads x steps, by launch.
[[nodiscard]] TheoryTable cost_table(const analysis::TheoryPicture& picture);
/// The greedy schedule between its bounds, by processors.
[[nodiscard]] TheoryTable brent_table(const analysis::TheoryPicture& picture);
/// The greedy schedule on N, N / log2 N and log2 N processors, and on one.
[[nodiscard]] TheoryTable processors_table(const analysis::TheoryPicture& picture);
[[nodiscard]] TheoryTable work_by_size_table(const analysis::TheoryPicture& picture);
/// The elements that the launches read and write, and their bytes.
[[nodiscard]] TheoryTable elements_table(const analysis::TheoryPicture& picture);
[[nodiscard]] TheoryTable occupancy_table(const analysis::TheoryPicture& picture);

inline constexpr const char* brent_title = "Brent's theorem: at most t + (W - t) / p steps";

}  // namespace lanescope::scene
