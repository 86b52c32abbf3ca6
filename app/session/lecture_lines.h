// The text of a lecture, line by line, with its blocks of code: a line that would begin a step or a section does not do
// so within one.
#pragma once

#include "base/text.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace lanescope::session {

/// Without the blank lines around it.
[[nodiscard]] inline std::string_view without_blank_lines(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const std::size_t begin = text.find_first_not_of(blank);
    if (begin == std::string_view::npos) return {};
    const std::size_t line = text.rfind('\n', begin);
    text = text.substr(0, text.find_last_not_of(blank) + 1);
    return text.substr(line == std::string_view::npos ? 0 : line + 1);
}

/// A step begins with it.
inline constexpr std::string_view heading_mark = "## ";

class LectureLines {
  public:
    /// From the line that begins at byte `begin`.
    LectureLines(std::string_view text, std::size_t begin)
        : text_(text), at_(begin), number_(static_cast<unsigned>(std::ranges::count(text.substr(0, begin), '\n'))) {}

    /// Goes to the next line; false: there is none.
    bool next() {
        if (at_ >= text_.size()) return false;
        begin_ = at_;
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        line_ = text_.substr(at_, end - at_);
        if (line_.ends_with('\r')) line_.remove_suffix(1);
        at_ = std::min(end + 1, text_.size());
        ++number_;
        const std::string_view mark = trimmed(line_);
        const bool fence = mark.starts_with("```") || mark.starts_with("~~~");
        opens_ = !fence_ && fence;
        closes_ = fence_ && mark.size() >= 3 && mark.find_first_not_of(fence_) == std::string_view::npos;
        if (opens_) fence_ = mark.front();
        in_code_ = fence_ != 0;
        if (closes_) fence_ = 0;
        return true;
    }

    [[nodiscard]] std::string_view line() const { return line_; }
    [[nodiscard]] unsigned number() const { return number_; }   ///< of the line, from 1
    [[nodiscard]] std::size_t begin() const { return begin_; }  ///< of the line, in the text
    [[nodiscard]] std::size_t at() const { return at_; }        ///< of the line after it
    [[nodiscard]] bool in_code() const { return in_code_; }     ///< with the lines that open and close it
    [[nodiscard]] bool opens_code() const { return opens_; }    ///< it is the first line of a block of code
    [[nodiscard]] bool closes_code() const { return closes_; }  ///< the last one
    /// The language of a line that opens a block of code: "lanescope" of ```lanescope.
    [[nodiscard]] std::string_view language() const {
        const std::string_view mark = trimmed(line_);
        return trimmed(mark.substr(std::min(mark.find_first_not_of("`~"), mark.size())));
    }

  private:
    std::string_view text_;
    std::size_t begin_ = 0, at_;
    std::string_view line_;
    unsigned number_;
    char fence_ = 0;  // of the block that is open; 0: none
    bool in_code_ = false, opens_ = false, closes_ = false;
};

}  // namespace lanescope::session
