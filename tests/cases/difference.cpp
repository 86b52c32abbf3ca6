#include "cases/cases.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <vector>

namespace lanescope::cases {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace

std::string difference(const std::string& expected, const std::string& actual) {
    const std::vector<std::string> before = lines_of(expected), after = lines_of(actual);
    // Longest common subsequence of what lies between the common ends.
    std::size_t head = 0, tail = 0;
    while (head < std::min(before.size(), after.size()) && before[head] == after[head]) ++head;
    while (tail < std::min(before.size(), after.size()) - head &&
           before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
        ++tail;
    const std::size_t rows = before.size() - head - tail, columns = after.size() - head - tail;
    std::vector<std::vector<std::uint32_t>> common(rows + 1, std::vector<std::uint32_t>(columns + 1, 0));
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            common[i][j] = before[head + i] == after[head + j] ? common[i + 1][j + 1] + 1
                                                               : std::max(common[i + 1][j], common[i][j + 1]);

    std::vector<std::string> marked;
    for (std::size_t i = 0; i < head; ++i) marked.push_back(" " + before[i]);
    for (std::size_t i = 0, j = 0; i < rows || j < columns;) {
        if (i < rows && j < columns && before[head + i] == after[head + j]) {
            marked.push_back(" " + before[head + i]);
            ++i;
            ++j;
        } else if (j == columns || (i < rows && common[i + 1][j] >= common[i][j + 1])) {
            marked.push_back("-" + before[head + i++]);
        } else {
            marked.push_back("+" + after[head + j++]);
        }
    }
    for (std::size_t i = before.size() - tail; i < before.size(); ++i) marked.push_back(" " + before[i]);

    constexpr std::size_t around = 3;
    std::string text;
    std::size_t shown = 0;  // lines before this one are dealt with
    for (std::size_t i = 0; i < marked.size(); ++i) {
        if (marked[i].front() == ' ') continue;
        const std::size_t from = std::max(shown, i < around ? 0 : i - around);
        if (from > shown) text += "...\n";
        const std::size_t to = std::min(marked.size(), i + around + 1);
        for (std::size_t line = from; line < to; ++line) text += marked[line] + '\n';
        shown = std::max(shown, to);
    }
    return text;
}

}  // namespace lanescope::cases
