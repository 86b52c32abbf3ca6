#include "scene/counts_scene.h"

#include "scene/pass_names.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace lanescope::scene {
namespace {

using analysis::CountColumn;
using analysis::CountRow;
using analysis::CountsPicture;
using analysis::Pass;

constexpr float pad = 14, row_height = 25, heading_height = 28, label_size = 12.5F, number_size = 13;
constexpr float column_gap = 12, most_more = 40, most_label = 150;
constexpr float chart_width = 250, chart_height = 150, chart_gap = 22;

struct Table {
    std::string head;                ///< of the passes' names
    std::vector<std::string> names;  ///< of the passes
    float label = 0;                 ///< width of them
    std::vector<float> right;        ///< of each column
};

Table table_of(const CountsPicture& picture, float width) {
    Table table;
    for (const CountRow& row : picture.rows) table.names.push_back(row.whole.label);
    auto [head, names] = short_names(table.names);
    table.head = std::move(head);
    table.names = std::move(names);
    table.label = std::max(text_width(Font::code, label_size, "total"), text_width(Font::words, 12, table.head));
    for (const std::string& name : table.names)
        table.label = std::max(table.label, text_width(Font::code, label_size, name));
    table.label = std::min(table.label, most_label);
    std::vector<float> widths;
    float needed = 0;
    for (const CountColumn& column : picture.columns) {
        const float number = text_width(Font::code, number_size, analysis::longest_text(column, picture));
        widths.push_back(std::max(number, text_width(Font::words, 12, column.heading)) + column_gap);
        needed += widths.back();
    }
    // What room is left is shared.
    const float more = (width - 2 * pad - table.label - needed) / static_cast<float>(widths.size());
    float x = pad + table.label;
    for (const float each : widths) table.right.push_back(x += each + std::clamp(more, 0.0F, most_more));
    return table;
}

void put(Layer& layer, float x, float y, Anchor anchor, Font font, float size, Paint paint, std::string words) {
    layer.texts.push_back(text_at(x, y, anchor, {font, size, paint}, std::move(words)));
}

void draw_row(Layer& layer, const Table& table, const CountsPicture& picture, std::size_t index, float top) {
    const CountRow& row = picture.rows[index];
    const bool ahead = row.state == CountRow::State::ahead;
    const bool now = row.state == CountRow::State::under_way;
    const float right = table.right.back();
    Rect band = rect({pad / 2, top, right, row_height}, 3, now ? Paint{Role::cursor, 0.24F} : Paint{});
    band.ref = {TraceRef::Kind::row, static_cast<std::uint32_t>(index), 0, {}};
    layer.rects.push_back(band);
    const Paint ink{ahead ? Role::soft : Role::text, ahead ? 0.7F : 1.0F};
    const float y = top + row_height / 2;
    put(layer, pad, y, Anchor::start, Font::code, label_size, ink,
        fitted(Font::code, label_size, table.names[index], table.label));
    for (std::size_t which = 0; which < picture.columns.size(); ++which) {
        const CountColumn& column = picture.columns[which];
        put(layer, table.right[which], y, Anchor::end, Font::code, number_size, ink,
            ahead ? "·" : analysis::text_of(column, column.value(row.pass, picture.threads)));
    }
}

float draw_table(Layer& layer, const Table& table, const CountsPicture& picture) {
    float top = 6;
    put(layer, pad, top + heading_height / 2, Anchor::start, Font::words, 12, {Role::soft, 1}, table.head);
    for (std::size_t which = 0; which < picture.columns.size(); ++which) {
        put(layer, table.right[which], top + heading_height / 2, Anchor::end, Font::words, 12, {Role::soft, 1},
            std::string(picture.columns[which].heading));
    }
    top += heading_height;
    for (std::size_t index = 0; index < picture.rows.size(); ++index) {
        draw_row(layer, table, picture, index, top);
        top += row_height;
    }
    layer.rects.push_back(rect({pad, top + 2, table.right.back() - pad, 1}, 0, {Role::line, 1}));
    top += 4;
    const float y = top + row_height / 2;
    put(layer, pad, y, Anchor::start, Font::code, label_size, {Role::soft, 1}, "total");
    for (std::size_t which = 0; which < picture.columns.size(); ++which) {
        if (const auto total = analysis::total_of(picture.columns[which], picture)) {
            put(layer, table.right[which], y, Anchor::end, Font::code, number_size, {Role::soft, 1},
                analysis::text_of(picture.columns[which], *total));
        }
    }
    top += row_height + 8;
    for (const analysis::ClosedForm& form : picture.forms) {
        put(layer, pad, top + 9, Anchor::start, Font::words, label_size, {Role::text, 1}, text_of(form));
        top += 20;
    }
    return top;
}

std::string description_of(const CountsPicture& picture) {
    std::string text;
    for (const CountRow& row : picture.rows) {
        text += row.whole.label + ":";
        if (row.state == CountRow::State::ahead) {
            text += " not executed yet\n";
            continue;
        }
        if (row.state == CountRow::State::under_way) text += " under way,";
        bool first = true;
        for (const CountColumn& column : picture.columns) {
            text += fmt::format("{} {} {}", first ? "" : ",", column.heading,
                                analysis::text_of(column, column.value(row.pass, picture.threads)));
            first = false;
        }
        text += "\n";
    }
    return text;
}

}  // namespace

std::string text_of(const analysis::ClosedForm& form) {
    const bool plain = form.expression == fmt::format("{}", form.value);
    if (!form.measured) return fmt::format("{} {} by the lecture's formula", form.name, form.value);
    if (form.measured != form.value)
        return fmt::format("{} {}, not {} = {}", form.name, *form.measured, form.expression, form.value);
    return plain ? fmt::format("{} {}, as the lecture says", form.name, form.value)
                 : fmt::format("{} {} = {}", form.name, form.value, form.expression);
}

std::vector<Chart> counts_charts(const CountsPicture& picture) {
    using Value = std::function<double(const Pass&)>;
    Chart base;
    std::size_t done = 0;
    for (std::size_t index = 0; index < picture.rows.size(); ++index) {
        const CountRow& row = picture.rows[index];
        base.labels.push_back(row.whole.label);
        // A pass that has just begun has no numbers yet.
        if (row.state != CountRow::State::ahead && row.pass.counts.warp_instructions > 0) base.reached = index + 1;
        if (row.state == CountRow::State::done) done = index + 1;
        if (row.state == CountRow::State::under_way) base.current = index;
    }
    base.ticks_x = short_names(base.labels).names;
    const auto series = [&](const char* name, Role role, const Value& value) {
        Series each{.name = name, .role = role, .values = {}, .whole = {}};
        // Shares of nothing are drawn as nothing.
        const auto drawn = [](double number) { return std::isnan(number) ? 0 : number; };
        for (const CountRow& row : picture.rows) {
            each.values.push_back(drawn(value(row.pass)));
            each.whole.push_back(drawn(value(row.whole)));
        }
        return each;
    };
    const auto column = [&](std::string_view heading) -> Value {
        const auto found = std::ranges::find(picture.columns, heading, &CountColumn::heading);
        return [value = found->value, threads = picture.threads](const Pass& pass) { return value(pass, threads); };
    };
    const auto chart = [&](Chart::Kind kind, const char* title, const char* term, std::vector<Series> all) {
        Chart made = base;
        made.kind = kind;
        // The bar of a pass under way grows; a share of part of a pass would be a point that jumps about.
        if (kind == Chart::Kind::lines) made.reached = done;
        made.title = title;
        made.term = term;
        // What never happens has no line of its own.
        if (all.size() > 1) {
            std::erase_if(all, [](const Series& each) {
                return each.name == "atomic" && std::ranges::all_of(each.whole, [](double v) { return v == 0; });
            });
        }
        made.series = std::move(all);
        return made;
    };
    using Kind = Chart::Kind;
    std::vector<Chart> charts;
    charts.push_back(
        chart(Kind::lines, "share of lanes, %", "efficiency",
              {series("useful", Role::useful, column("useful")), series("efficiency", Role::read, column("eff."))}));
    charts.back().percent = true;
    charts.push_back(chart(Kind::bars, "wavefronts", "wavefront",
                           {series("load", Role::read, column("ld wf")), series("store", Role::useful, column("st wf")),
                            series("atomic", Role::cost, [](const Pass& p) {
                                return static_cast<double>(p.counts.shared_atomic_wavefronts);
                            })}));
    charts.push_back(chart(Kind::bars, "operator applications", "operator application",
                           {series("ops", Role::useful, column("ops"))}));
    charts.push_back(chart(
        Kind::bars, "sectors", "sector",
        {series("load", Role::read, [](const Pass& p) { return static_cast<double>(p.counts.global_load_sectors); }),
         series("store", Role::useful,
                [](const Pass& p) { return static_cast<double>(p.counts.global_store_sectors); }),
         series("atomic", Role::cost,
                [](const Pass& p) { return static_cast<double>(p.counts.global_atomic_sectors); })}));
    charts.push_back(
        chart(Kind::bars, "warp instructions", "instruction", {series("instr.", Role::useful, column("instr."))}));
    return charts;
}

Scene counts_scene(const CountsPicture& picture, const CountsOptions& options) {
    Scene scene;
    scene.title = "Counts by pass";
    scene.description = description_of(picture);
    Layer layer;
    const Table table = table_of(picture, options.width);
    scene.width = std::max(options.width, table.right.back() + pad);
    float top = draw_table(layer, table, picture) + 14;
    const std::vector<Chart> charts = counts_charts(picture);
    if (picture.rows.size() > 1) {
        const float room = scene.width - 2 * pad;
        const auto columns = std::clamp<std::size_t>(
            static_cast<std::size_t>((room + chart_gap) / (chart_width + chart_gap)), 1, charts.size());
        const float wide = (room + chart_gap) / static_cast<float>(columns) - chart_gap;
        for (std::size_t index = 0; index < charts.size(); ++index) {
            const auto at = static_cast<float>(index % columns);
            if (index > 0 && index % columns == 0) top += chart_height + chart_gap;
            draw_chart(layer, {pad + at * (wide + chart_gap), top, wide, chart_height}, charts[index]);
        }
        top += chart_height;
    }
    scene.height = top + pad;
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
