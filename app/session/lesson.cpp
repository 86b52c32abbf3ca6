#include "session/lesson.h"

#include "base/text.h"
#include "base/whole_number.h"
#include "session/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace lanescope::session {

namespace {

using compile::Directive;

template <std::string Lesson::*field>
Result<void> text(Program& program, const Directive& line) {
    program.lesson.*field = line.value;
    return {};
}

template <std::string Lesson::*field>
Result<void> closed_form(Program& program, const Directive& line) {
    program.lesson.*field = with_constants(line.value, program.source);
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

/// Paragraphs and items of a Markdown text, a line each.
std::vector<std::string> paragraphs(std::string_view text) {
    std::vector<std::string> lines;
    bool open = false;    // the paragraph before goes on
    bool quoted = false;  // it is a quotation
    const auto close = [&] {
        if (open && quoted) lines.back() += '"';
        open = false;
    };
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        const bool item = line.starts_with("- ");
        if (line.empty() || item) close();
        if (line.empty()) continue;
        const bool quotation = line.starts_with("> ");
        if (item || quotation) line.remove_prefix(2);
        if (open) {
            lines.back() += fmt::format(" {}", line);
        } else {
            lines.push_back(fmt::format("{}{}", quotation ? "\"" : "", line));
            quoted = quotation;
        }
        open = true;
    }
    close();
    return lines;
}

}  // namespace

bool is_lesson_key(std::string_view key) { return std::ranges::find(keys, key, &Key::name) != keys.end(); }

Result<void> read_lesson_line(Program& program, const Directive& line) {
    return std::ranges::find(keys, line.key, &Key::name)->read(program, line);
}

std::vector<std::string> lesson_keys() {
    std::vector<std::string> names;
    for (const Key& key : keys) names.emplace_back(key.name);
    return names;
}

void read_lesson_text(Program& program) {
    std::string_view rest = program.source.description.body;
    std::string* text = nullptr;  // of the section; null: the summary
    while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        constexpr std::string_view mark = "## ";
        if (line.starts_with(mark)) {
            text = &section_text(program.lesson, line.substr(mark.size()));
        } else if (text != nullptr) {
            text->append(line).append("\n");
        } else if (!trimmed(line).empty()) {
            program.lesson.summary += (program.lesson.summary.empty() ? "" : " ") + std::string(line);
        }
    }
}

std::vector<std::string> paragraphs_of(const Lesson& lesson, std::string_view heading) {
    const auto known = std::ranges::find(lesson.sections, heading, &Lesson::Section::heading);
    return known == lesson.sections.end() ? std::vector<std::string>() : paragraphs(known->text);
}

}  // namespace lanescope::session
