// CUDA or PTX text as drawn: lines with tabs expanded, each divided into runs of one tint, and folded into rows where
// it is wider than its room.
#pragma once

#include "ui/look.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::ui {

/// Points: a line of text, and the margin with its number.
inline constexpr float source_line_height = 23, source_gutter = 60;

enum class Language : std::uint8_t { cuda, ptx, sass };
enum class Tint : std::uint8_t { plain, soft, strong };

struct TintedRun {
    std::size_t begin = 0, end = 0;
    Tint tint = Tint::plain;
};
struct TintedLine {
    std::string text;
    std::vector<TintedRun> runs;
    float width_em = 0;  ///< at an em of 1 pixel
};
struct SourceText {
    std::vector<TintedLine> lines;
    float code_width_em = 0;  ///< of the widest code, at an em of 1 pixel: without comments and directives
};

/// A row as drawn: a line, or a part of one that is wider than its room.
struct TextRow {
    std::uint32_t line = 0;          ///< index
    std::size_t begin = 0, end = 0;  ///< bytes of the line
    float indent_em = 0;             ///< from the left edge, of the second row of a line and of those after it
};
struct TextRows {
    std::vector<TextRow> rows;
    std::vector<std::uint32_t> first;  ///< by line, and one more: index of its first row
};

[[nodiscard]] SourceText tinted(const Look& look, std::span<const std::string_view> lines, Language language);

/// Folds every line that is wider than `room_em`, where it can after a space or an operator; the rows after its first
/// are indented as the line is and a little more. `advance_em`: of one character. Both at an em of 1 pixel.
[[nodiscard]] TextRows folded(const SourceText& text, float room_em,
                              const std::function<float(std::string_view)>& advance_em);
/// In the font of the code.
[[nodiscard]] TextRows folded(const Look& look, const SourceText& text, float room_em);

/// The first of the "// lanescope:" lines at the end of a text, with the empty lines before them; the number of lines
/// without any. They configure the launch and are not part of the kernel.
[[nodiscard]] std::size_t notes_begin(std::span<const std::string_view> lines);

}  // namespace lanescope::ui
