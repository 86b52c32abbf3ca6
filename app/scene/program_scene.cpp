#include "scene/program_scene.h"

#include "base/text.h"
#include "scene/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace lanescope::scene {

namespace {

using analysis::ProgramLine;
using Kind = ProgramLine::Kind;

constexpr float step_height = 22, edge = 6, step_size = 13, line_size = 11.5F;
constexpr float number_width = 44, text_left = panel_padding + number_width + 10;
constexpr std::size_t most_described = 200;

Font font_of(Kind kind) {
    switch (kind) {
        case Kind::launch: return Font::code_bold;
        case Kind::printed: return Font::code;
        case Kind::call:
        case Kind::end: return Font::words_medium;
        default: return Font::words;
    }
}

Role role_of(const ProgramLine& line) {
    switch (line.kind) {
        case Kind::launch: return line.launch ? Role::text : Role::cost;
        case Kind::printed:
        case Kind::call: return Role::text;
        case Kind::problem: return Role::cost;
        case Kind::end: return line.text == trace::successful_exit ? Role::text : Role::cost;
        default: return Role::soft;
    }
}

std::string shown_text(const ProgramLine& line) {
    return line.kind == Kind::end ? fmt::format("The program ended: {}", line.text) : line.text;
}

/// The length in bytes of the longest beginning that fits, at least one letter; words stay whole where possible.
std::size_t fitting(std::string_view text, Font font, float width) {
    if (text_width(font, step_size, text) <= width) return text.size();
    std::size_t low = 1, high = text.size();
    while (low < high) {
        const std::size_t middle = (low + high + 1) / 2;
        if (text_width(font, step_size, text.substr(0, middle)) <= width)
            low = middle;
        else
            high = middle - 1;
    }
    while (low > 1 && low < text.size() && (static_cast<unsigned char>(text[low]) & 0xC0U) == 0x80) --low;
    const std::size_t space = text.rfind(' ', low);
    return space == std::string_view::npos || space == 0 ? low : space + 1;
}

}  // namespace

std::vector<ProgramRow> program_rows(std::span<const ProgramLine> lines, float width) {
    constexpr std::size_t longest = 4096;  // bytes of a line that are shown
    const float room = std::max(width - text_left - panel_padding, 40.0F);
    std::vector<ProgramRow> rows;
    for (std::size_t index = 0; index < lines.size(); ++index) {
        const std::string whole = shown_text(lines[index]);
        std::string_view rest = std::string_view(whole).substr(0, longest);
        bool first = true;
        do {
            const std::size_t size = rest.empty() ? 0 : fitting(rest, font_of(lines[index].kind), room);
            rows.push_back({.line = index, .first = first, .text = std::string(rest.substr(0, size))});
            rest.remove_prefix(size);
            first = false;
        } while (!rest.empty());
    }
    return rows;
}

double program_height(std::span<const ProgramRow> rows) {
    return 2 * edge + static_cast<double>(rows.size()) * step_height;
}

std::optional<ProgramRowExtent> program_row(std::span<const ProgramLine> lines, std::span<const ProgramRow> rows,
                                            std::uint32_t launch) {
    for (std::size_t index = 0; index < rows.size(); ++index) {
        if (lines[rows[index].line].launch != launch) continue;
        const double top = edge + static_cast<double>(index) * step_height;
        return ProgramRowExtent{top, top + step_height};
    }
    return std::nullopt;
}

Scene program_scene(std::span<const ProgramLine> lines, std::span<const ProgramRow> rows,
                    const ProgramOptions& options) {
    Scene scene;
    scene.title = "Program";
    for (std::size_t index = 0; index < std::min(lines.size(), most_described); ++index) {
        const ProgramLine& line = lines[index];
        const std::string of = line.source_file.empty() ? "" : " of " + line.source_file;
        if (line.source_line != 0) scene.description += fmt::format("line {}{}: ", line.source_line, of);
        scene.description += shown_text(line) + '\n';
    }
    scene.width = options.width;
    scene.height = options.height > 0 ? options.height : static_cast<float>(program_height(rows));
    Layer layer;
    const double from = std::max(0.0, std::floor((options.top - edge) / step_height));
    for (auto index = static_cast<std::size_t>(from); index < rows.size(); ++index) {
        const ProgramRow& row = rows[index];
        const ProgramLine& line = lines[row.line];
        const auto top = static_cast<float>(edge + static_cast<double>(index) * step_height - options.top);
        if (top > scene.height) break;
        const Box box{panel_padding / 2, top, options.width - panel_padding, step_height};
        const bool current = line.launch && line.launch == options.launch;
        Paint under;
        if (line.kind == Kind::launch) under = {Role::useful, current ? 0.28F : 0.10F};
        if (line.kind == Kind::printed) under = {Role::raised, 1};
        Rect back = rect(box, line.kind == Kind::printed ? 0 : 4, under);
        if (line.launch)
            back.ref = ref_to(TraceRef::Kind::row, *line.launch);
        else if (line.source_line != 0 || !line.function.empty())
            back.ref = ref_to(TraceRef::Kind::line, static_cast<std::uint32_t>(row.line), line.source_line);
        layer.rects.push_back(back);
        // A bar marks the shown launch, too, because color alone is not enough.
        if (current) layer.rects.push_back(rect({box.x, top + 2, 4, step_height - 4}, 2, {Role::cursor, 1}));
        const float middle = top + step_height / 2;
        if (row.first && line.source_line != 0)
            layer.put(panel_padding + number_width, middle, Anchor::end, {Font::code, line_size, {Role::soft, 1}},
                      fmt::format("{}", line.source_line));
        layer.texts.push_back(
            text_at(text_left, middle, Anchor::start, {font_of(line.kind), step_size, {role_of(line), 1}}, row.text));
    }
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
