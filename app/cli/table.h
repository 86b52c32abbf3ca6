// Rows of text -> an aligned table: words to the left, numbers to the right, two spaces between columns.
#pragma once

#include "base/grouped.h"

#include <string>
#include <vector>

namespace lanescope::cli {

struct Column {
    std::vector<std::string> heading;  ///< one or several lines, the same number in all columns
    bool number = true;
};

class Table {
  public:
    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    void add_rule() { rows_.emplace_back(); }
    /// Every line begins with `indent` and ends with a newline, none with a space.
    [[nodiscard]] std::string text(const std::string& indent = "") const;

  private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;  ///< an empty one is a rule
};

/// The terminal columns of the text, approximated by its UTF-8 code points.
[[nodiscard]] std::size_t columns_of(const std::string& text);

}  // namespace lanescope::cli
