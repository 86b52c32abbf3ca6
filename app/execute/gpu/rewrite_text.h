// Text inserted into a text, at offsets of the original.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::execute {

class TextEdits {
  public:
    explicit TextEdits(std::string_view text) : text_(text) {}

    /// On separate lines before the text at `offset`.
    void before(std::size_t offset, std::string inserted) { edits_.push_back({offset, '\n' + std::move(inserted)}); }
    /// Directly at `offset`, after the text that ends there; on a separate line if it has several.
    void after(std::size_t offset, std::string inserted) {
        if (inserted.ends_with('\n')) inserted.insert(inserted.begin(), '\n');
        edits_.push_back({offset, std::move(inserted)});
    }

    [[nodiscard]] std::string apply() const {
        std::vector<Edit> sorted = edits_;
        std::ranges::stable_sort(sorted, {}, &Edit::offset);
        std::string result;
        std::size_t from = 0;
        for (const Edit& edit : sorted) {
            result.append(text_, from, edit.offset - from).append(edit.inserted);
            from = edit.offset;
        }
        return result.append(text_, from);
    }

  private:
    struct Edit {
        std::size_t offset;
        std::string inserted;
    };
    std::string_view text_;
    std::vector<Edit> edits_;
};

/// After the ';' of the PTX statement that begins at `offset`.
[[nodiscard]] inline std::size_t end_of_statement(std::string_view text, std::size_t offset) {
    while (offset < text.size() && text[offset] != ';') {
        if (text.substr(offset).starts_with("//")) {
            offset = std::min(text.find('\n', offset), text.size());
        } else if (text.substr(offset).starts_with("/*")) {
            offset = std::min(text.find("*/", offset), text.size());
        } else {
            ++offset;
        }
    }
    return std::min(offset + 1, text.size());
}

/// After the '{' of the outermost braces that `offset` is in: where a function's body begins.
[[nodiscard]] inline std::size_t begin_of_body(std::string_view text, std::size_t offset) {
    std::size_t begin = offset;
    unsigned depth = 0;
    for (std::size_t i = 0; i < offset; ++i) {
        if (text.substr(i).starts_with("//")) {
            i = std::min(text.find('\n', i), offset);
        } else if (text.substr(i).starts_with("/*")) {
            i = std::min(text.find("*/", i), offset);
        } else if (text[i] == '{') {
            if (depth++ == 0) begin = i + 1;
        } else if (text[i] == '}' && depth > 0) {
            --depth;
        }
    }
    return begin;
}

/// At the end of the line that holds the directive; the end of the text if there is none.
[[nodiscard]] inline std::size_t end_of_line_with(std::string_view text, std::string_view directive) {
    return std::min(text.find('\n', text.find(directive)), text.size());
}

}  // namespace lanescope::execute
