// The lesson of a program. From the lines of its description (source_file.h), and from the lesson's Markdown:
//
//   title, family        a line of text each
//   order = NUMBER       place among the built-in programs
//   work, span           the closed forms, expressions of n, block and grid
//   summary              a sentence or two
//   lecture, look, words, reading    only in comment lines, the last three repeatable: text of the sections below
//
// In a lesson file they are Markdown: the first paragraph is the summary, and `## ` begins a section. Links of the form
// lanescope:... act in the window (ui/lesson_link.h).
#pragma once

#include "base/result.h"
#include "compile/source.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

struct Program;

struct Lesson {
    /// Markdown below a heading.
    struct Section {
        std::string heading, text;
    };
    std::string title;   ///< "Reduction 1: interleaved, modulo"
    std::string family;  ///< "reduce", "scan", ...; "file" for a user's
    int order = 0;
    std::string summary;     ///< Markdown
    std::string work, span;  ///< closed forms, as the lecture gives them
    std::vector<Section> sections;
};

[[nodiscard]] bool is_lesson_key(std::string_view key);
/// Adds a line of the description, with such a key, to the program's lesson.
[[nodiscard]] Result<void> read_lesson_line(Program& program, const compile::Directive& line);
[[nodiscard]] std::vector<std::string> lesson_keys();
/// Adds the Markdown of the description to the program's lesson.
void read_lesson_text(Program& program);

/// The sections of lessons, by their headings.
namespace section {
inline constexpr std::string_view look = "What to look at";
inline constexpr std::string_view words = "In the lecture's words";
inline constexpr std::string_view background = "Background";  ///< in its place where no lecture is quoted
inline constexpr std::string_view lecture = "From";
inline constexpr std::string_view reading = "Further reading";
}  // namespace section

/// The section's paragraphs and items, a line of Markdown each; a quotation is in quotation marks. Empty: there is
/// none.
[[nodiscard]] std::vector<std::string> paragraphs_of(const Lesson& lesson, std::string_view heading);

}  // namespace lanescope::session
