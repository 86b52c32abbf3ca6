// CUDA or PTX text as drawn: lines with tabs expanded, each divided into runs of one tint.
#pragma once

#include "ui/look.h"

#include <cstddef>
#include <cstdint>
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
};
struct SourceText {
    std::vector<TintedLine> lines;
    float width_em = 0;  ///< of the longest line, at an em of 1 pixel
};

/// The lines without their ends; valid as long as the text.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

[[nodiscard]] SourceText tinted(const Look& look, std::span<const std::string_view> lines, Language language);

/// The first of the "// lanescope:" lines at the end of a text, with the empty lines before them; the number of lines
/// without any. They configure the launch and are not part of the kernel.
[[nodiscard]] std::size_t notes_begin(std::span<const std::string_view> lines);

}  // namespace lanescope::ui
