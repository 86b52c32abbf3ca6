#include "scene/memory_scene.h"

#include "base/grouped.h"
#include "model/model.h"
#include "scene/layers.h"
#include "scene/passes/short_values.h"
#include "scene/passes/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace lanescope::scene {
namespace {

using analysis::LaneVariable;
using analysis::MemoryArea;
using analysis::MemoryCell;
using analysis::MemoryTable;
using trace::Space;

constexpr float gutter = 56, heading = 32, columns_height = 18;
constexpr float cell_height = 30, labeled_height = 38, most_cell_pitch = 50, most_fraction_pitch = 76, area_gap = 12;
constexpr float chip_height = 28, chip_gap = 6, least_chip = 138;
constexpr float value_size = 13.5F, memory_label_size = 11.5F;
constexpr std::uint64_t most_natural_rows = 64;  // of an area in a picture that does not scroll
constexpr unsigned most_a_row = 32;

/// A table or the lane's variables, and its place.
struct Section {
    std::optional<std::size_t> area;  ///< nothing: the variables
    double top = 0, height = 0;
    std::uint64_t rows = 0, hidden = 0;
    unsigned a_row = 1;  ///< elements, or variables
    float pitch = 0, row_height = 0;
    bool bank_columns = false;  ///< a column is a bank
    bool labeled = false;       ///< each cell shows its bank
    [[nodiscard]] double rows_top() const { return top + heading + (area ? columns_height : 0.0F); }
};

struct MemoryLayout {
    std::vector<Section> sections;
    double height = 0;
};

float digits(unsigned count) { return text_width(Font::code, smallest_text, "0") * static_cast<float>(count); }

Section section_of(const MemoryArea& area, unsigned banks, const MemoryOptions& options) {
    Section section;
    const float room = std::max(options.width - 2 * panel_padding - gutter, 20.0F);
    unsigned longest = usual_length(options.format, area.element);
    for (const analysis::Member& member : area.members)
        longest = std::max(longest, usual_length(options.format, member.element));
    const float least = digits(longest) + 9;
    unsigned a_row = most_a_row;
    while (a_row > 1 && room / static_cast<float>(a_row) < least) a_row /= 2;
    // Where the array has rows, they are rows here or, where there is no room, are split into equal parts.
    if (area.row > 0) {
        const auto most = static_cast<unsigned>(std::max(room / least, 1.0F));
        for (unsigned parts = 1; parts <= area.row / 4; ++parts) {
            if (area.row % parts != 0 || area.row / parts > most) continue;
            a_row = area.row / parts;
            break;
        }
    }
    section.a_row = a_row;
    const bool fractions = area.element == trace::Element::f32 || area.element == trace::Element::f64;
    const float most = fractions ? most_fraction_pitch : most_cell_pitch;  // their values have many digits
    section.pitch = std::min(room / static_cast<float>(a_row), std::max(most, least));
    section.rows = (area.count + a_row - 1) / a_row;
    const bool shared = area.space == Space::shared;
    const unsigned bytes = trace::bytes_of(area.element);
    section.bank_columns =
        shared && std::uint64_t{a_row} * bytes % (banks * model::bank_bytes) == 0 && bytes >= model::bank_bytes;
    section.labeled = shared && !section.bank_columns;
    section.row_height = section.labeled ? labeled_height : cell_height;
    if (options.height <= 0 && section.rows > most_natural_rows) {
        section.hidden = area.count - most_natural_rows * a_row;
        section.rows = most_natural_rows;
    }
    return section;
}

Section variables_section(const MemoryTable& table, const MemoryOptions& options) {
    Section section;
    const float room = std::max(options.width - 2 * panel_padding, 20.0F);
    const float least = std::max(least_chip, options.format == NumberFormat::binary ? digits(35) + 70 : 0);
    section.a_row = std::max(1U, static_cast<unsigned>((room + chip_gap) / (least + chip_gap)));
    section.pitch = (room + chip_gap) / static_cast<float>(section.a_row);
    section.pitch = std::min(section.pitch, least * 1.5F);
    section.row_height = chip_height + chip_gap;
    const std::size_t count = std::max<std::size_t>(table.variables().size(), 1);
    section.rows = (count + section.a_row - 1) / section.a_row;
    return section;
}

/// Named variables come first, because they are few and matter most; registers come last.
MemoryLayout layout_of(const MemoryTable& table, const MemoryOptions& options) {
    MemoryLayout layout;
    double top = 4;
    const auto place = [&](Section section) {
        section.top = top;
        section.height = section.rows_top() - top + static_cast<double>(section.rows) * section.row_height;
        if (section.hidden > 0) section.height += cell_height;
        top += section.height + area_gap;
        layout.sections.push_back(section);
    };
    const bool named = table.named() || table.variables().empty();
    if (named) place(variables_section(table, options));
    for (std::size_t index = 0; index < table.areas().size(); ++index) {
        Section section = section_of(table.areas()[index], table.banks(), options);
        section.area = index;
        place(section);
    }
    if (!named) place(variables_section(table, options));
    layout.height = top;
    return layout;
}

/// "int"; "{float value, int index}" of structures.
std::string type_of(const MemoryArea& area) {
    std::string text;
    for (const analysis::Member& member : area.members)
        text += fmt::format("{}{} {}", text.empty() ? "{" : ", ", trace::name_of(member.element), member.name);
    return text.empty() ? std::string(trace::name_of(area.element)) : text + "}";
}

/// `a_line`: elements that are drawn side by side.
std::string describe(const MemoryArea& area, const analysis::MemoryMoment& moment, std::uint64_t a_line) {
    std::string text = fmt::format("{} x {}", type_of(area), area.count / area.per_element());
    if (!area.host_name.empty()) text += fmt::format(", {} in the host code", area.host_name);
    // A line of cells that is not a row of the array must not be mistaken for one.
    const bool cut = area.row > a_line;
    if (area.row > 0 && (cut || !area.row_declared)) text += fmt::format(", rows of {}", area.row);
    if (area.row > 0 && !area.row_declared) text += " (inferred)";
    if (cut) text += fmt::format(", {} a line", counted(a_line, "element"));
    switch (area.space) {
        case Space::shared:
            text += fmt::format(", shared memory from {}, {}", address_text(area.address),
                                counted(area.count * trace::bytes_of(area.element), "byte"));
            break;
        case Space::local:
            text += fmt::format(", local memory of thread {}", moment.warp.value * warp_size + moment.lane);
            break;
        default:
            text += area.constant ? ", constant memory" : ", global memory";
            if (area.output) text += ", an output";
            break;
    }
    return text;
}

/// The meaning of a cell's or variable's color.
struct Marks {
    bool changed = false, in_pass = false, next = false, known = true, soft = false, selected = false, in_past = false;
};

struct MemoryDrawing {
    const MemoryTable& table;
    const MemoryOptions& options;
    Layer& layer;
    PassesState state;  // for the selection

    [[nodiscard]] float y_of(double y) const { return static_cast<float>(y - options.top); }

    void put(float x, float y, Anchor anchor, Font font, float size, Paint paint, std::string words) const {
        layer.put(x, y, anchor, {font, size, paint}, std::move(words));
    }

    /// Draws the box of a cell; returns the paint of its text.
    Paint draw_box(const Box& box, const Marks& marks, const TraceRef& ref) const {
        Rect shape = rect(box, 3, {Role::raised, 1}, {Role::line, 1});
        Paint ink{marks.soft ? Role::soft : Role::text, 1};
        if (!marks.known) {
            shape.fill = {Role::panel, 1};
            shape.hatch = {Role::soft, 0.3F};
        } else if (marks.changed) {
            shape.fill = {Role::useful, 1};
            shape.stroke = {Role::useful, 1};
            ink = {Role::on_useful, 1};
        } else if (marks.in_pass) {
            shape.fill = {Role::useful, 0.2F};
            shape.stroke = {Role::useful, 0.75F};
        }
        shape.ref = ref;
        layer.rects.push_back(shape);
        // The two outlines are apart: the selection's is outside, the next step's on the edge.
        if (marks.next) layer.rings.push_back(ring(box, 3, -1, {Role::cursor, 1}, 2.5F));
        if (marks.selected || marks.in_past) {
            layer.rings.push_back(ring(box, 3, marks.next ? 1.5F : -0.5F, {Role::selected, 1}, marks.selected ? 2 : 1));
        }
        return ink;
    }
};

/// The bits of hexadecimal and binary notation cannot be rounded.
std::vector<std::string> shortened(const std::string& text, NumberFormat format, Font font, float room, float height) {
    const bool is_number = format != NumberFormat::hexadecimal && format != NumberFormat::binary && is_decimal(text);
    return is_number ? marked_value(text, font, room, height) : std::vector{fitted(font, smallest_text, text, room)};
}

void draw_value(const MemoryDrawing& d, const Box& box, Font font, Paint ink, const std::string& text) {
    const float room = box.width - 5;
    if (const float size = size_to_fit(font, text, room, value_size, smallest_text); size > 0)
        d.layer.texts.push_back(text_in(box, {font, size, ink}, text));
    else
        put_lines(d.layer, box, {font, value_size, ink}, shortened(text, d.options.format, font, room, box.height),
                  room);
}

std::string bank_label(const MemoryArea& area, std::uint64_t element, unsigned banks) {
    const unsigned bytes = trace::bytes_of(area.element);
    const unsigned bank = model::bank_of(area.address + element * bytes, model::BankModel::of(banks));
    return bytes > model::bank_bytes ? fmt::format("b{},{}", bank, (bank + 1) % banks) : fmt::format("b{}", bank);
}

void draw_cell(const MemoryDrawing& d, const Section& section, std::uint64_t element, const Box& cell) {
    const MemoryArea& area = d.table.areas()[*section.area];
    const MemoryCell content = d.table.cell(*section.area, element);
    const bool selected = content.value.valid() && content.value == d.state.past.selected;
    const Marks marks{.changed = content.changed,
                      .in_pass = content.in_pass,
                      .next = content.read_next || content.written_next,
                      .known = content.state != MemoryCell::State::never_written,
                      .soft = content.state == MemoryCell::State::initial && area.output,
                      .selected = selected,
                      .in_past = !selected && d.state.past.has(content.value)};
    const TraceRef ref{TraceRef::Kind::cell, static_cast<std::uint32_t>(*section.area),
                       static_cast<std::uint32_t>(element), content.writer};
    const Box box = cell.grown(-1.5F);
    const Paint ink = d.draw_box(box, marks, ref);
    Box value = box;
    if (section.labeled) {
        value.height = box.height * 0.66F;
        d.layer.put(box.center_x(), box.bottom() - 8, Anchor::middle,
                    {Font::code, smallest_text, marks.changed ? ink : Paint{Role::soft, 1}},
                    bank_label(area, element, d.table.banks()));
    }
    if (!marks.known) return;
    draw_value(d, value, marks.changed ? Font::code_bold : Font::code, ink,
               written(d.options.format, area.element_of(element), content.bits));
}

void draw_column_names(const MemoryDrawing& d, const Section& section) {
    const MemoryArea& area = d.table.areas()[*section.area];
    const float y = d.y_of(section.rows_top()) - columns_height / 2;
    const Paint soft{Role::soft, 1};
    const auto columns = static_cast<unsigned>(std::min<std::uint64_t>(section.a_row, area.count));
    const unsigned words = std::max(1U, trace::bytes_of(area.element) / model::bank_bytes);
    if (section.bank_columns)
        d.put(panel_padding + gutter - 10, y, Anchor::end, Font::words, memory_label_size, soft, "bank");
    for (unsigned column = 0; column < columns; ++column) {
        const float x = panel_padding + gutter + section.pitch * (static_cast<float>(column) + 0.5F);
        const unsigned bank = model::bank_of(area.address + std::uint64_t{column} * words * model::bank_bytes,
                                             model::BankModel::of(d.table.banks()));
        const bool by_member = !area.members.empty() && section.a_row % area.per_element() == 0;
        const std::string name = by_member ? "." + area.members[column % area.members.size()].name : "";
        const float size = smallest_text + 0.5F;
        d.put(x, y, Anchor::middle, Font::code, size, soft,
              section.bank_columns ? fmt::format("{}", bank)
              : by_member          ? fitted(Font::code, size, name, section.pitch - 4)
                                   : fmt::format("{}", column));
    }
}

void draw_area(const MemoryDrawing& d, const Section& section, double from, double to) {
    const MemoryArea& area = d.table.areas()[*section.area];
    draw_column_names(d, section);
    const double rows_top = section.rows_top();
    const auto row_at = [&](double y) {
        const double row = std::floor((y - rows_top) / section.row_height);
        return static_cast<std::uint64_t>(std::clamp(row, 0.0, static_cast<double>(section.rows)));
    };
    const std::uint64_t past = std::min(row_at(to) + 1, section.rows);
    for (std::uint64_t row = row_at(from); row < past; ++row) {
        const float y = d.y_of(rows_top + static_cast<double>(row) * section.row_height);
        const std::uint64_t first = row * section.a_row;
        const float middle = y + section.row_height / 2;
        const bool addressed = area.space != Space::global && section.labeled;
        d.put(panel_padding + gutter - 10, addressed ? middle - 7 : middle, Anchor::end, Font::code, memory_label_size,
              {Role::soft, 1},
              first % area.per_element() == 0 ? fmt::format("{}", first / area.per_element()) : area.index_text(first));
        if (addressed) {
            d.put(panel_padding + gutter - 10, middle + 8, Anchor::end, Font::code, smallest_text, {Role::soft, 0.75F},
                  address_text(area.address + first * trace::bytes_of(area.element)));
        }
        for (std::uint64_t e = first; e < std::min(first + section.a_row, area.count); ++e) {
            const float x = panel_padding + gutter + section.pitch * static_cast<float>(e - first);
            draw_cell(d, section, e, {x, y, section.pitch, section.row_height});
        }
    }
    if (section.hidden > 0) {
        d.put(panel_padding + gutter, d.y_of(section.top + section.height) - cell_height / 2, Anchor::start,
              Font::words, memory_label_size, {Role::soft, 1}, fmt::format("and {} more", section.hidden));
    }
}

std::string value_of(const LaneVariable& variable, NumberFormat format) {
    if (!variable.reg.valid()) return "optimized out";
    if (!variable.written) return "–";
    if (variable.truth) return variable.bits != 0 ? "true" : "false";
    if (format == NumberFormat::natural && !variable.points_at.empty()) return "&" + variable.points_at;
    if (variable.element) return written(format, *variable.element, variable.bits);
    const bool long_one = variable.bytes > 4;
    if (format == NumberFormat::natural) return address_text(variable.bits);
    return written(format, long_one ? trace::Element::u64 : trace::Element::u32, variable.bits);
}

void draw_variables(const MemoryDrawing& d, const Section& section) {
    const std::vector<LaneVariable>& variables = d.table.variables();
    const double rows_top = section.rows_top();
    if (variables.empty()) {
        d.put(panel_padding, d.y_of(rows_top) + chip_height / 2, Anchor::start, Font::words, 12.5F, {Role::soft, 1},
              "The thread has exited, or has no variables yet.");
        return;
    }
    for (std::size_t index = 0; index < variables.size(); ++index) {
        const LaneVariable& variable = variables[index];
        const std::size_t row = index / section.a_row;
        const Box box{panel_padding + section.pitch * static_cast<float>(index % section.a_row),
                      d.y_of(rows_top + static_cast<double>(row) * section.row_height), section.pitch - chip_gap,
                      chip_height};
        const Marks marks{.changed = variable.changed,
                          .next = variable.read_next || variable.written_next,
                          .known = variable.written,
                          .soft = !variable.written};
        const Paint ink = d.draw_box(box, marks, {TraceRef::Kind::lane, 0, static_cast<std::uint32_t>(index), {}});
        const float half = (box.width - 20) / 2;
        const std::string name = fitted(Font::code, 12.5F, variable.name, half);
        const float taken = text_width(Font::code, 12.5F, name);
        d.put(box.x + 8, box.center_y(), Anchor::start, Font::code, 12.5F, marks.changed ? ink : Paint{Role::soft, 1},
              name);
        const Font font = marks.changed ? Font::code_bold : Font::code;
        std::string value = value_of(variable, d.options.format);
        if (!variable.in_pass.empty()) value += " → " + variable.in_pass;
        const float room = box.width - 24 - taken;
        const float size = size_to_fit(font, value, room, value_size, smallest_text);
        d.put(box.right() - 8, box.center_y(), Anchor::end, font, size > 0 ? size : smallest_text, ink,
              size > 0 ? value : shortened(value, d.options.format, font, room, 0).front());
    }
}

void draw_heading(const MemoryDrawing& d, const Section& section) {
    const float y = d.y_of(section.top) + heading / 2 + 2;
    std::string name, about;
    const analysis::MemoryMoment& moment = d.table.moment();
    if (section.area) {
        const MemoryArea& area = d.table.areas()[*section.area];
        name = area.name;
        about = describe(area, moment, section.a_row);
    } else {
        name = fmt::format("thread {}", moment.warp.value * warp_size + moment.lane);
        about = fmt::format("warp {}, lane {}: its {}", moment.warp.value, moment.lane,
                            d.table.named() || d.table.variables().empty() ? "variables" : "registers");
    }
    const Font font = section.area ? Font::code_bold : Font::words_bold;
    const float most = d.options.width - 2 * panel_padding;
    name = fitted(font, 13.5F, name, most * 0.6F);
    d.put(panel_padding, y, Anchor::start, font, 13.5F, {Role::text, 1}, name);
    const float x = panel_padding + text_width(font, 13.5F, name) + 10;
    d.put(x, y, Anchor::start, Font::words, 12, {Role::soft, 1},
          fitted(Font::words, 12, about, std::max(d.options.width - panel_padding - x, 1.0F)));
}

/// The meaning of the colors, as many entries as fit.
void draw_legend(const MemoryDrawing& d, float y) {
    struct Entry {
        Marks marks;
        const char* name;
    };
    float x = panel_padding;
    for (const Entry& entry : {Entry{{.changed = true}, "just written"}, Entry{{.next = true}, "next step"},
                               Entry{{.in_pass = true}, "in this pass"}, Entry{{.known = false}, "never written"},
                               Entry{{.selected = true}, "selected"}}) {
        const float wide = text_width(Font::words, memory_label_size, entry.name);
        if (x + 18 + wide + panel_padding > d.options.width) return;
        (void)d.draw_box({x, y - 6, 12, 12}, entry.marks, {});
        d.put(x + 18, y, Anchor::start, Font::words, memory_label_size, {Role::soft, 1}, entry.name);
        x += 18 + wide + 16;
    }
}

std::string description_of(const MemoryTable& table, NumberFormat format) {
    constexpr std::uint64_t most = 32;
    std::string text;
    for (std::size_t index = 0; index < table.areas().size(); ++index) {
        const MemoryArea& area = table.areas()[index];
        text += fmt::format("{}, {}:", area.name, describe(area, table.moment(), area.row));
        for (std::uint64_t e = 0; e < std::min(area.count, most); ++e) {
            const MemoryCell cell = table.cell(index, e);
            text += cell.state == MemoryCell::State::never_written
                        ? " –"
                        : " " + written(format, area.element_of(e), cell.bits);
        }
        text += area.count > most ? " ...\n" : "\n";
    }
    return text;
}

}  // namespace

double memory_height(const MemoryTable& table, const MemoryOptions& options) {
    return layout_of(table, options).height + memory_legend_height;
}

RowExtent memory_row(const MemoryTable& table, const MemoryOptions& options, const MemoryTable::Place& place) {
    for (const Section& section : layout_of(table, options).sections) {
        if (section.area != place.area) continue;
        const std::uint64_t row = place.element / section.a_row;
        const double top = section.rows_top() + static_cast<double>(row) * section.row_height;
        return {top, top + section.row_height};
    }
    return {};
}

Scene memory_scene(const MemoryTable& table, const MemoryOptions& options) {
    const MemoryLayout layout = layout_of(table, options);
    Scene scene;
    scene.title = "Memory";
    scene.description = description_of(table, options.format);
    scene.width = options.width;
    scene.height = options.height > 0 ? options.height : static_cast<float>(layout.height) + memory_legend_height;

    Layer layer;
    PassesOptions lit;
    lit.position = table.moment().position;
    lit.selected = options.selected;
    const MemoryDrawing d{table, options, layer, passes_state(table.block().passes, table.block().provenance, lit)};
    const float window = scene.height - memory_legend_height;
    const double from = options.top, to = options.top + window;
    scene.shapes.emplace_back(ClipBegin{0, 0, scene.width, window});
    for (const Section& section : layout.sections) {
        if (section.top > to || section.top + section.height < from) continue;
        draw_heading(d, section);
        if (section.area) {
            draw_area(d, section, from, to);
        } else {
            draw_variables(d, section);
        }
    }
    layer.flush(scene);
    scene.shapes.emplace_back(ClipEnd{});
    draw_legend(d, scene.height - memory_legend_height / 2);
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
