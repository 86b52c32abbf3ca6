#include "session/lesson.h"

#include "base/markdown.h"
#include "base/text.h"
#include "base/whole_number.h"
#include "session/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

namespace {

using compile::Directive;

constexpr unsigned section_level = 2;  // `## What to look at`

template <std::string Lesson::*field>
Result<void> text(Program& program, const Directive& line) {
    program.lesson.*field = line.value;
    return {};
}

template <std::string Lesson::*field>
Result<void> closed_form(Program& program, const Directive& line) {
    program.lesson.*field = without_names(line.value, program);
    if (const auto value = evaluate(program.lesson.*field, trial); !value) return placed(value.error(), program, line);
    return {};
}

Result<void> order(Program& program, const Directive& line) {
    if (read_whole_number(line.value, program.lesson.order)) return {};
    return fail("the order must be a whole number", value_place(program, line));
}

/// The section with that heading, made where there is none yet.
std::string& section_text(Lesson& lesson, std::string_view heading) {
    const auto known = std::ranges::find(lesson.sections, heading, &Lesson::Section::heading);
    if (known != lesson.sections.end()) return known->text;
    return lesson.sections.emplace_back(std::string(heading), std::string()).text;
}

/// A repeatable line: one more paragraph, or item, of its section.
template <const std::string_view& heading, bool item>
Result<void> part(Program& program, const Directive& line) {
    std::string& text = section_text(program.lesson, heading);
    text += item ? fmt::format("- {}\n", line.value) : fmt::format("{}\n\n", line.value);
    return {};
}

struct Key {
    std::string_view name;
    Result<void> (*read)(Program&, const Directive&);
};
constexpr std::array<Key, 10> keys{{{"title", text<&Lesson::title>},
                                    {"family", text<&Lesson::family>},
                                    {"order", order},
                                    {"summary", text<&Lesson::summary>},
                                    {"lecture", part<section::lecture, false>},
                                    {"words", part<section::words, false>},
                                    {"look", part<section::look, true>},
                                    {"reading", part<section::reading, true>},
                                    {"work", closed_form<&Lesson::work>},
                                    {"span", closed_form<&Lesson::span>}}};

/// Lines of Markdown, from 1.
struct LineRange {
    unsigned first = 0, last = 0;  ///< 0: none

    void add(const LineRange& other) {
        if (other.first == 0) return;
        first = first == 0 ? other.first : std::min(first, other.first);
        last = std::max(last, other.last);
    }
};

LineRange lines_of(const markdown::Block& block) {
    LineRange range{block.first_line, block.last_line};
    for (const markdown::Block& child : block.children) range.add(lines_of(child));
    return range;
}

/// Joins the lines as they are written, without the marks of the quotation or item that they are in.
std::string joined(const LineRange& range, const std::vector<std::string_view>& lines, bool quoted, bool code) {
    std::string text;
    for (unsigned number = range.first; number <= range.last; ++number) {
        std::string_view line = trimmed(lines[number - 1]);
        if (quoted && line.starts_with('>')) line = trimmed(line.substr(1));
        const bool marked = line.size() > 1 && line[1] == ' ' && std::string_view("-*+").contains(line[0]);
        if (marked && number == range.first && !code) line = trimmed(line.substr(2));
        if (!text.empty()) text += ' ';
        text += line;
    }
    return quoted ? fmt::format("\"{}\"", text) : text;
}

/// Paragraphs, items and tables, a line each.
void add_paragraphs(const markdown::Block& block, const std::vector<std::string_view>& lines, bool quoted,
                    std::vector<std::string>& paragraphs) {
    using Kind = markdown::Block::Kind;
    quoted = quoted || block.kind == Kind::quotation;
    const bool whole = block.kind == Kind::table;
    const LineRange range = whole ? lines_of(block) : LineRange{block.first_line, block.last_line};
    if (range.first != 0) paragraphs.push_back(joined(range, lines, quoted, block.kind == Kind::code));
    if (whole) return;
    for (const markdown::Block& child : block.children) add_paragraphs(child, lines, quoted, paragraphs);
}

}  // namespace

bool is_lesson_key(std::string_view key) { return std::ranges::find(keys, key, &Key::name) != keys.end(); }

Result<void> read_lesson_line(Program& program, const Directive& line) {
    return std::ranges::find(keys, line.key, &Key::name)->read(program, line);
}

std::vector<std::string> lesson_keys() {
    std::vector<std::string> names;
    names.reserve(keys.size());
    for (const Key& key : keys) names.emplace_back(key.name);
    return names;
}

void read_lesson_text(Program& program) {
    const std::string_view body = program.source.description.body;
    const std::vector<std::string_view> lines = lanescope::lines_of(body);
    std::vector<std::string_view> heading_of(lines.size() + 1);
    for (const markdown::Block& block : markdown::parsed(body).children)
        if (block.kind == markdown::Block::Kind::heading && block.level == section_level && block.first_line != 0)
            heading_of[block.first_line] = trimmed(lines[block.first_line - 1]).substr(section_level);
    std::string* text = nullptr;  // of the section; null: the summary
    for (std::size_t number = 1; number <= lines.size(); ++number) {
        const std::string_view line = lines[number - 1];
        if (!heading_of[number].empty()) {
            text = &section_text(program.lesson, trimmed(heading_of[number]));
        } else if (text != nullptr) {
            text->append(line).append("\n");
        } else if (!trimmed(line).empty()) {
            program.lesson.summary += (program.lesson.summary.empty() ? "" : " ") + std::string(line);
        }
    }
}

std::vector<std::string> paragraphs_of(const Lesson& lesson, std::string_view heading) {
    const auto known = std::ranges::find(lesson.sections, heading, &Lesson::Section::heading);
    std::vector<std::string> paragraphs;
    if (known != lesson.sections.end())
        add_paragraphs(markdown::parsed(known->text), lanescope::lines_of(known->text), false, paragraphs);
    return paragraphs;
}

}  // namespace lanescope::session
