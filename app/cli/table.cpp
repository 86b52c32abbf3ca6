#include "cli/table.h"

#include "base/grouped.h"

#include <algorithm>
#include <numeric>

namespace lanescope::cli {

namespace {

constexpr std::size_t gap = 2;

std::string padded(const std::string& text, std::size_t width, bool right) {
    const std::string space(width - std::min(width, columns_of(text)), ' ');
    return right ? space + text : text + space;
}

}  // namespace

std::size_t columns_of(const std::string& text) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}

std::string Table::text(const std::string& indent) const {
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::size_t width = 0;
        for (const std::string& line : columns_[i].heading) width = std::max(width, columns_of(line));
        for (const auto& row : rows_) {
            if (i < row.size()) width = std::max(width, columns_of(row[i]));
        }
        widths.push_back(width);
    }
    const std::size_t total =
        std::accumulate(widths.begin(), widths.end(), std::size_t{0}) + gap * (columns_.size() - 1);

    std::string text;
    const auto add_line = [&](auto cell_of) {
        std::string line = indent;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (i > 0) line += std::string(gap, ' ');
            line += padded(cell_of(i), widths[i], columns_[i].number);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    };
    const std::string rule = indent + std::string(total, '-') + '\n';
    for (std::size_t heading = 0; heading < columns_.front().heading.size(); ++heading) {
        add_line([&](std::size_t i) { return columns_[i].heading[heading]; });
    }
    text += rule;
    for (const auto& row : rows_) {
        if (row.empty()) {
            text += rule;
        } else {
            add_line([&](std::size_t i) { return i < row.size() ? row[i] : std::string(); });
        }
    }
    return text;
}

}  // namespace lanescope::cli
