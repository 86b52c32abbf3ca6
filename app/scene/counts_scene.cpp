#include "scene/counts_scene.h"

#include "analysis/comparison/comparison.h"
#include "base/grouped.h"
#include "scene/labels.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace lanescope::scene {
namespace {

using analysis::CountColumn;
using analysis::CountRow;
using analysis::CountsPicture;
using analysis::Pass;

constexpr float row_height = 24, heading_height = 28, note_height = 22, label_size = 12.5F;
constexpr float most_more = 40, most_label = 150;
constexpr float chart_width = 230, chart_height = 150, least_chart = 146, most_chart = 256, picture_chart = 170;
constexpr float chart_gap = 20, tabs_gap = 8, tabs_height = 24, scroll_bar_height = 10;
constexpr std::string_view change_heading = "vs B", excess_heading = "excess";
constexpr std::size_t least_rows = 7;  ///< of a scrolling table, where charts are below it

/// How the table is set: text sizes, space between its columns and at its left edge.
struct Manner {
    enum class Headings : std::uint8_t {
        full,       ///< whole words, two words on two lines
        brief,      ///< short forms on one line
        staggered,  ///< short forms on the upper and the lower line alternately
    };
    float numbers = 13.5F, headings = 11.5F, gap = 9, edge = panel_padding;
    Headings words = Headings::full;
    bool rounded = false;  ///< large counts: 12.3 M
};
/// Tried in this order; the first that fits the width is used. Large counts are rounded before all numbers are small.
constexpr std::array manners = {
    Manner{}, Manner{.headings = 12.5F, .words = Manner::Headings::brief},
    Manner{.headings = 12.5F, .words = Manner::Headings::brief, .rounded = true},
    Manner{.numbers = 11.5F, .gap = 7, .edge = 10, .words = Manner::Headings::brief, .rounded = true},
    Manner{.numbers = 10.5F,
           .headings = 10.5F,
           .gap = 5,
           .edge = 8,
           .words = Manner::Headings::staggered,
           .rounded = true}};

/// A number of the table; the unit stands in a place of its own, so that digits are below digits.
struct Entry {
    std::string digits;
    std::string_view unit = {};
};

std::pair<std::string_view, std::string_view> two_lines(std::string_view words) {
    const std::size_t space_at = words.find(' ');
    if (space_at == std::string_view::npos) return {{}, words};
    return {words.substr(0, space_at), words.substr(space_at + 1)};
}

class Table {
  public:
    Table(const CountsPicture& picture, const CountsOptions& options)
        : picture_(picture), options_(options), columns_(analysis::table_columns(picture)) {
        std::vector<std::string> names;
        names.reserve(picture.rows.size());
        for (const CountRow& row : picture.rows) names.push_back(row.whole.label);
        names_ = short_names(names);
        for (const Manner& manner : manners) {
            measure(manner);
            if (changes_.back() + panel_padding <= options.width) break;
        }
        // The columns share the remaining room.
        const float more = (options.width - panel_padding - changes_.back()) / static_cast<float>(right_.size());
        for (std::size_t index = 0; index < right_.size(); ++index) {
            const float moved = std::clamp(more, 0.0F, most_more) * static_cast<float>(index + 1);
            right_[index] += moved;
            changes_[index] += moved;
        }
    }

    /// The width of the table, points.
    [[nodiscard]] float width() const { return changes_.back() + panel_padding; }
    [[nodiscard]] float height() const {
        return heading_height + row_height * static_cast<float>(picture_.rows.size() + 1);
    }
    /// Does the run have a count that the table rounds?
    [[nodiscard]] bool rounds() const {
        return std::ranges::any_of(columns_, [&](const CountColumn& column) { return has_units(column); });
    }

    /// Draws the table into a box at the top of the scene. If the box is too small, rows scroll between the headings
    /// and the total.
    void draw(Scene& scene, float wide, float high) const {
        const bool scrolls_y = high < height(), scrolls_x = wide < width();
        Viewport rows{.box = {0, heading_height + (scrolls_y ? row_height : 0), wide, 0},
                      .width = width(),
                      .height = row_height * static_cast<float>(picture_.rows.size())};
        rows.box.height = std::max(std::min(high - rows.box.y, rows.height), 0.0F);
        // Only a scrolling table cuts its height to whole rows.
        if (scrolls_y) rows.box.height = std::max(std::floor(rows.box.height / row_height), 1.0F) * row_height;
        const float seen = rows.box.height / row_height;
        const float wanted = options_.centered
                                 ? row_height * (static_cast<float>(*options_.centered) - std::floor(seen / 2))
                                 : options_.scroll_y;
        rows.scroll_x = std::clamp(options_.scroll_x, 0.0F, std::max(width() - wide, 0.0F));
        rows.scroll_y = std::clamp(wanted, 0.0F, rows.height - rows.box.height);
        const float left = rows.scroll_x, top = rows.scroll_y;
        if (scrolls_x || scrolls_y) {
            // The viewport's scrollbar stands below the total where the total follows the rows.
            Viewport all = rows;
            if (!scrolls_y) all.box.height += row_height, all.height += row_height;
            scene.viewports.push_back(all);
        }

        draw_part(scene, {0, 0, wide, rows.box.y}, left, [&](Layer& layer, bool names) {
            names ? draw_head(layer) : draw_headings(layer, left);
            if (scrolls_y) draw_total(layer, heading_height, left, names, true);
        });
        draw_part(scene, rows.box, left, [&](Layer& layer, bool names) {
            const auto first = static_cast<std::size_t>(top / row_height);
            for (std::size_t index = first; index < picture_.rows.size(); ++index) {
                const float y = rows.box.y - top + row_height * static_cast<float>(index);
                if (y >= rows.box.bottom()) break;
                draw_row(layer, index, y, left, wide, names);
            }
        });
        if (scrolls_y) return;
        draw_part(scene, {0, rows.box.bottom(), wide, row_height}, left,
                  [&](Layer& layer, bool names) { draw_total(layer, rows.box.bottom(), left, names, false); });
    }

  private:
    void measure(const Manner& manner) {
        manner_ = manner;
        float label = std::max(text_width(Font::code, label_size, "total"),
                               text_width(Font::words, manner.headings, names_.head));
        for (const std::string& name : names_.names) label = std::max(label, text_width(Font::code, label_size, name));
        label_ = manner.edge + std::min(label, most_label) + manner.gap;
        right_.clear();
        changes_.clear();
        float x = label_, before = 0;
        for (const CountColumn& column : columns_) {
            // Before a count is rounded, it may have more digits than after.
            const float number = has_units(column)
                                     ? text_width(Font::code, manner.numbers, "99,999") + unit_width()
                                     : text_width(Font::code, manner.numbers,
                                                  analysis::text_of(column, analysis::largest_value(column, picture_)));
            const auto width_of = [&](std::string_view words) {
                return text_width(Font::words, manner.headings, words);
            };
            float heading = width_of(column.brief);
            if (manner.words == Manner::Headings::full) {
                const auto [upper, lower] = two_lines(column.heading);
                heading = std::max(width_of(upper), width_of(lower));
            }
            // On alternating lines, a heading may also extend over the column to its left.
            if (manner.words == Manner::Headings::staggered) heading -= before;
            before = std::ceil(std::max(number, heading) + manner.gap);
            right_.push_back(x += before);
            changes_.push_back(x += change_width(column, manner));
        }
    }

    [[nodiscard]] Entry entry_of(const CountColumn& column, double value) const {
        if (!manner_.rounded || column.unit == CountColumn::Unit::percent || !std::isfinite(value) || value == 0)
            return {analysis::text_of(column, value)};
        ShortCount count = short_count(value);
        return {std::move(count.digits), count.unit};
    }

    [[nodiscard]] bool has_units(const CountColumn& column) const {
        return !entry_of(column, analysis::largest_value(column, picture_)).unit.empty();
    }

    /// Between the digits and the right edge of a column that has units.
    [[nodiscard]] float unit_width() const { return text_width(Font::code, manner_.numbers, " M"); }

    void put_entry(Layer& layer, float right, float y, Paint ink, const Entry& entry, bool units) const {
        const Style style{Font::code, manner_.numbers, ink};
        if (entry.unit.empty())
            layer.put(right - (units ? unit_width() : 0), y, Anchor::end, style, entry.digits);
        else
            layer.put(right, y, Anchor::end, style, fmt::format("{} {}", entry.digits, entry.unit));
    }

    /// The change from the baseline; no digits where there is none to show.
    [[nodiscard]] Entry change_of(const CountColumn& column, const CountRow& row) const {
        const std::string text = analysis::change_text(column, row);
        if (text.empty() || text == "0" || column.unit == CountColumn::Unit::percent) return {text};
        const double delta = column.value(row.pass, 0) - column.value(*row.baseline, 0);
        Entry entry = entry_of(column, std::abs(delta));
        return {(delta > 0 ? "+" : "−") + entry.digits, entry.unit};
    }

    /// The heading of the text right of the column: the changes from the baseline or, without one, its excess; empty:
    /// no text.
    [[nodiscard]] std::string_view beside(const CountColumn& column) const {
        if (picture_.baseline_total) return change_heading;
        return analysis::has_excess(column, picture_) ? excess_heading : std::string_view();
    }

    [[nodiscard]] Entry excess_of(const CountColumn& column, const analysis::Excess& excess) const {
        return entry_of(column, static_cast<double>(excess.*column.excess));
    }

    /// The width of the text right of the column.
    [[nodiscard]] float change_width(const CountColumn& column, const Manner& manner) const {
        if (beside(column) == excess_heading) {
            const Entry widest = excess_of(column, picture_.whole_excess());
            const float number = widest.unit.empty() ? text_width(Font::code, manner.numbers, widest.digits)
                                                     : text_width(Font::code, manner.numbers, "99,999") + unit_width();
            return std::ceil(std::max(text_width(Font::words, manner.headings, excess_heading), number) + manner.gap);
        }
        if (!picture_.baseline_total) return 0;
        float width = text_width(Font::words, manner.headings, change_heading);
        for (CountRow row : picture_.rows) {
            // A row that is done has the longest text: the column keeps its width while passes are completed.
            row.state = CountRow::State::done;
            row.pass = row.whole;
            const Entry change = change_of(column, row);
            width = std::max(width, text_width(Font::code, manner.numbers, change.digits) +
                                        (change.unit.empty() ? 0 : unit_width()));
        }
        return std::ceil(width + manner.gap);
    }

    void draw_change(Layer& layer, std::size_t which, float left, float y, const CountRow& row) const {
        const CountColumn& column = columns_[which];
        if (beside(column) == excess_heading) {
            if (row.state == CountRow::State::ahead) return;
            const bool none = row.excess.*column.excess == 0;
            put_entry(layer, changes_[which] - left, y, {none ? Role::soft : Role::cost, 1},
                      excess_of(column, row.excess), !excess_of(column, picture_.whole_excess()).unit.empty());
            return;
        }
        const Entry entry = change_of(column, row);
        if (entry.digits.empty()) return;
        const analysis::Change change =
            analysis::change_of(column, column.value(*row.baseline, 0), column.value(row.pass, 0));
        const Role role = entry.digits == "0"                  ? Role::soft
                          : change == analysis::Change::better ? Role::agrees
                          : change == analysis::Change::worse  ? Role::cost
                                                               : Role::soft;
        put_entry(layer, changes_[which] - left, y, {role, 1}, entry, false);
    }

    /// Draws the columns, clipped where they scroll sideways, and then the names of the rows, which do not.
    template <class Draw>
    void draw_part(Scene& scene, const Box& box, float left, const Draw& draw) const {
        Layer names, columns;
        draw(names, true);
        draw(columns, false);
        const bool scrolls = !scene.viewports.empty();
        const auto clipped = [&](Layer& layer, float x) {
            if (scrolls) scene.shapes.emplace_back(ClipBegin{x, box.y, box.width - x, box.height});
            layer.flush(scene);
            if (scrolls) scene.shapes.emplace_back(ClipEnd{});
        };
        clipped(names, 0);
        clipped(columns, left > 0 ? label_ : 0);
    }

    void draw_head(Layer& layer) const {
        const bool low = manner_.words == Manner::Headings::full;
        layer.put(manner_.edge, low ? 21.0F : heading_height / 2, Anchor::start,
                  {Font::words, manner_.headings, {Role::soft, 1}}, names_.head);
    }

    void draw_headings(Layer& layer, float left) const {
        constexpr float upper_line = 8, lower_line = 21;
        const Style style{Font::words, manner_.headings, {Role::soft, 1}};
        for (std::size_t which = 0; which < right_.size(); ++which) {
            const float right = right_[which] - left, begin = (which == 0 ? label_ : changes_[which - 1]) - left;
            Rect under = rect({begin, 0, changes_[which] - left - begin, heading_height}, 0, {});
            under.ref = ref_to(TraceRef::Kind::heading, 0, which);
            layer.rects.push_back(under);
            const CountColumn& column = columns_[which];
            const float staggered_line = which % 2 == 0 ? upper_line : lower_line;
            if (const std::string_view words = beside(column); !words.empty()) {
                const bool excess = words == excess_heading;
                // Level with its column: the next heading may extend over it on the other line.
                const float y = manner_.words == Manner::Headings::full        ? lower_line
                                : manner_.words == Manner::Headings::staggered ? staggered_line
                                                                               : heading_height / 2;
                const Style other{Font::words, manner_.headings, {excess ? Role::cost : Role::soft, 1}};
                layer.put(changes_[which] - left, y, Anchor::end, other, std::string(words));
            }
            if (manner_.words == Manner::Headings::full) {
                const auto [upper, lower] = two_lines(column.heading);
                layer.put(right, upper_line, Anchor::end, style, std::string(upper));
                layer.put(right, lower_line, Anchor::end, style, std::string(lower));
            } else {
                const bool staggered = manner_.words == Manner::Headings::staggered;
                const float y = staggered ? staggered_line : heading_height / 2;
                layer.put(right, y, Anchor::end, style, std::string(column.brief));
            }
        }
    }

    void draw_row(Layer& layer, std::size_t index, float top, float left, float wide, bool names) const {
        const CountRow& row = picture_.rows[index];
        const bool ahead = row.state == CountRow::State::ahead, now = row.state == CountRow::State::under_way;
        const Paint ink{ahead ? Role::soft : Role::text, ahead ? 0.7F : 1.0F};
        const float y = top + row_height / 2;
        if (names) {
            Rect band = rect({manner_.edge / 2, top, wide - manner_.edge, row_height}, 3,
                             now                         ? Paint{Role::cursor, 0.28F}
                             : options_.hovered == index ? Paint{Role::line, 0.5F}
                                                         : Paint{});
            band.ref = ref_to(TraceRef::Kind::row, index);
            layer.rects.push_back(band);
            layer.put(manner_.edge, y, Anchor::start, {Font::code, label_size, ink},
                      fitted(Font::code, label_size, names_.names[index], most_label));
            return;
        }
        for (std::size_t which = 0; which < right_.size(); ++which) {
            const CountColumn& column = columns_[which];
            const double value = column.value(row.pass, picture_.threads);
            // The current pass shows no share of results, rather than 0, before it has any.
            const bool none_yet = now && value == 0 && column.unit == CountColumn::Unit::percent;
            put_entry(layer, right_[which] - left, y, ink,
                      ahead      ? Entry{"·"}
                      : none_yet ? Entry{"–"}
                                 : entry_of(column, value),
                      has_units(column));
            draw_change(layer, which, left, y, row);
        }
    }

    /// The separator is below the total where the total is above the rows.
    void draw_total(Layer& layer, float top, float left, bool names, bool above) const {
        const Paint ink{Role::soft, 1};
        const float y = top + row_height / 2;
        if (names) {
            const float right =
                std::min(changes_.back(), options_.height > 0 ? options_.width - panel_padding : changes_.back());
            layer.rects.push_back(
                rect({manner_.edge, above ? top + row_height - 1 : top, right - manner_.edge, 1}, 0, {Role::line, 1}));
            layer.put(manner_.edge, y, Anchor::start, {Font::code, label_size, ink}, "total");
            Rect band = rect({manner_.edge / 2, top, right - manner_.edge / 2, row_height}, 0, {});
            band.ref = ref_to(TraceRef::Kind::row, picture_.rows.size());
            layer.rects.push_back(band);
            return;
        }
        for (std::size_t which = 0; which < right_.size(); ++which) {
            if (const auto total = analysis::total_of(columns_[which], picture_)) {
                put_entry(layer, right_[which] - left, y, ink, entry_of(columns_[which], *total),
                          has_units(columns_[which]));
            }
            draw_change(layer, which, left, y, total_row());
        }
    }

    /// The row of all passes; complete once all of them are.
    [[nodiscard]] CountRow total_row() const {
        const bool done =
            std::ranges::all_of(picture_.rows, [](const CountRow& row) { return row.state == CountRow::State::done; });
        // Changes are those of complete passes; the excess is that of the executed part.
        const bool shown = done || !picture_.baseline_total;
        return {.state = shown ? CountRow::State::done : CountRow::State::ahead,
                .pass = picture_.total,
                .whole = {},
                .excess = picture_.total_excess,
                .whole_excess = {},
                .baseline = picture_.baseline_total};
    }

    const CountsPicture& picture_;
    const CountsOptions& options_;
    ShortNames names_;
    Manner manner_;
    float label_ = 0;  // where the columns begin
    std::vector<CountColumn> columns_;
    std::vector<float> right_;    // of each column
    std::vector<float> changes_;  // the right end of the text beside it; the same as `right_` where there is none
};

std::vector<CountsNote> notes_of(const CountsPicture& picture, const CountsOptions& options) {
    std::vector<CountsNote> notes;
    for (const analysis::ClosedForm& form : picture.forms) {
        CountsNote& note = notes.emplace_back(CountsNote{.agrees = {}, .text = text_of(form)});
        if (form.measured) note.agrees = form.measured == form.value;
    }
    notes.insert(notes.end(), options.hardware.begin(), options.hardware.end());
    return notes;
}

void draw_notes(Layer& layer, float top, float width, const std::vector<CountsNote>& notes, std::size_t forms) {
    constexpr float sign = 18;
    for (std::size_t index = 0; index < notes.size(); ++index) {
        const CountsNote& note = notes[index];
        Rect under = rect({panel_padding, top, width - 2 * panel_padding, note_height}, 0, {});
        under.ref = ref_to(TraceRef::Kind::note, index);
        layer.rects.push_back(under);
        const float middle = top + note_height / 2;
        // A formula without a measurement has no sign; hardware counters of another launch have a ring.
        const bool compared = note.agrees.has_value(), signs = compared || index >= forms;
        if (signs) draw_verdict(layer, panel_padding + 5, middle, note.agrees);
        const float left = panel_padding + (signs ? sign : 0);
        layer.texts.push_back(
            text_at(left, middle, Anchor::start,
                    {Font::words, label_size, {compared || index < forms ? Role::text : Role::soft, 1}},
                    fitted(Font::words, label_size, note.text, width - panel_padding - left)));
        top += note_height;
    }
}

std::size_t fitting(float room, float each) {
    return std::max<std::size_t>(1, static_cast<std::size_t>((room + chart_gap) / (each + chart_gap)));
}

/// All charts, side by side and in rows; if they do not all fit, the chosen one with room for tabs. Returns the bottom
/// of the drawing. `room.height` 0: as high as they need.
float draw_charts(Layer& layer, const Box& room, const CountsPicture& picture, std::size_t chosen) {
    const std::vector<Chart> charts = counts_charts(picture);
    const std::size_t columns = std::min(fitting(room.width, chart_width), charts.size());
    const std::size_t rows = (charts.size() + columns - 1) / columns;
    if (room.height > 0 && rows > fitting(room.height, chart_height)) {
        Rect tabs = rect({room.x, room.y, room.width, tabs_height}, 0, {});
        tabs.ref = ref_to(TraceRef::Kind::control, 0);
        layer.rects.push_back(tabs);
        const float used = tabs_height + tabs_gap;
        const std::size_t which = std::min(chosen, charts.size() - 1);
        draw_chart(layer, {room.x, room.y + used, room.width, std::min(room.height - used, most_chart)}, charts[which],
                   which);
        return room.bottom();
    }
    const float wide = (room.width + chart_gap) / static_cast<float>(columns) - chart_gap;
    const float tall = room.height > 0
                           ? std::min((room.height + chart_gap) / static_cast<float>(rows) - chart_gap, most_chart)
                           : picture_chart;
    for (std::size_t index = 0; index < charts.size(); ++index) {
        const std::size_t row_index = index / columns;
        const auto column = static_cast<float>(index % columns), row = static_cast<float>(row_index);
        draw_chart(layer, {room.x + column * (wide + chart_gap), room.y + row * (tall + chart_gap), wide, tall},
                   charts[index], index);
    }
    return room.y + static_cast<float>(rows) * (tall + chart_gap) - chart_gap;
}

std::string description_of(const CountsPicture& picture) {
    std::string text;
    for (const CountRow& row : picture.rows) {
        text += row.whole.label + ":";
        if (row.state == CountRow::State::ahead) {
            text += " not executed yet\n";
            continue;
        }
        if (row.state == CountRow::State::under_way) text += " in progress,";
        bool first = true;
        for (const CountColumn& column : picture.columns) {
            text += fmt::format("{} {} {}", first ? "" : ",", column.heading,
                                analysis::text_of(column, column.value(row.pass, picture.threads)));
            if (analysis::has_excess(column, picture) && row.excess.*column.excess != 0)
                text += fmt::format(" ({} excessive)", analysis::excess_text(column, row.excess));
            first = false;
        }
        text += "\n";
    }
    return text;
}

}  // namespace

std::string text_of(const analysis::ClosedForm& form) {
    const bool plain = form.expression == fmt::format("{}", form.value);
    if (!form.measured) return fmt::format("{} {} by the lecture's formula", form.name, grouped(form.value));
    if (form.measured != form.value)
        return fmt::format("{} {}, not {} = {}", form.name, grouped(*form.measured), form.expression,
                           grouped(form.value));
    return plain ? fmt::format("{} {}, as in the lecture", form.name, grouped(form.value))
                 : fmt::format("{} {} = {}", form.name, grouped(form.value), form.expression);
}

std::vector<Chart> counts_charts(const CountsPicture& picture) {
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
    const auto series = [&](const char* name, Role role, const auto& value) {
        Series each{.name = name, .role = role, .values = {}, .whole = {}};
        // A total share of 0 is drawn as 0; an unknown one is infinite and stays so.
        const auto drawn = [](double number) { return std::isnan(number) ? 0 : number; };
        for (const CountRow& row : picture.rows) {
            each.values.push_back(drawn(value(row.pass)));
            each.whole.push_back(drawn(value(row.whole)));
        }
        return each;
    };
    const auto share = [&](std::string_view term) {
        const auto found = std::ranges::find(picture.columns, term, &CountColumn::term);
        assert(found != picture.columns.end());
        return [value = found->value, threads = picture.threads](const Pass& pass) { return value(pass, threads); };
    };
    const auto count = [](std::uint64_t trace::Counts::*member) {
        return [member](const Pass& pass) { return static_cast<double>(pass.counts.*member); };
    };
    using Counts = trace::Counts;
    const auto chart = [&](Chart::Kind kind, const char* title, const char* term, std::vector<Series> all) {
        Chart made = base;
        made.kind = kind;
        // The bar of the current pass grows; a share of a partial pass would jump.
        if (kind == Chart::Kind::lines) made.reached = done;
        made.title = title;
        made.term = term;
        // A quantity that is always 0 gets no line.
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
    charts.push_back(chart(Kind::lines, "share of lanes, %", "efficiency",
                           {series("useful threads", Role::useful, share("useful threads")),
                            series("efficiency", Role::read, share("efficiency"))}));
    charts.back().percent = true;
    charts.push_back(chart(Kind::bars, "wavefronts", "wavefront",
                           {series("load", Role::read, count(&Counts::shared_load_wavefronts)),
                            series("store", Role::useful, count(&Counts::shared_store_wavefronts)),
                            series("atomic", Role::cost, count(&Counts::shared_atomic_wavefronts))}));
    charts.push_back(
        chart(Kind::bars, "operations", "operation", {series("operations", Role::useful, count(&Counts::operations))}));
    charts.push_back(chart(Kind::bars, "sectors", "sector",
                           {series("load", Role::read, count(&Counts::global_load_sectors)),
                            series("store", Role::useful, count(&Counts::global_store_sectors)),
                            series("atomic", Role::cost, count(&Counts::global_atomic_sectors))}));
    charts.push_back(chart(Kind::bars, "warp instructions", "instruction",
                           {series("instructions", Role::useful, count(&Counts::warp_instructions))}));
    if (picture.time_shares.empty()) return charts;
    Series times{.name = "estimated", .role = Role::read, .values = {}, .whole = {}};
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        const double percent = row < picture.time_shares.size() ? picture.time_shares[row].value_or(0) : 0;
        times.whole.push_back(percent);
        // A pass under way has no estimate.
        times.values.push_back(picture.rows[row].state == CountRow::State::done ? percent : 0);
    }
    charts.push_back(chart(Kind::bars, "estimated time, %", "estimated time", {std::move(times)}));
    return charts;
}

bool rounds_counts(const CountsPicture& picture, const CountsOptions& options) {
    return Table(picture, options).rounds();
}

Scene counts_scene(const CountsPicture& picture, const CountsOptions& options) {
    Scene scene;
    scene.title = "Counts by pass";
    scene.description = description_of(picture);
    const Table table(picture, options);
    const std::vector<CountsNote> notes = notes_of(picture, options);
    const float below = note_height * static_cast<float>(notes.size());
    const bool bounded = options.height > 0;
    scene.width = bounded ? options.width : std::max(options.width, table.width());

    // The charts stand below the table where both fit; the table may scroll, the charts may not.
    const float bar = table.width() > scene.width ? scroll_bar_height : 0;
    const float wanted = table.height() + below + 2 * tabs_gap + bar;
    const float fewest = std::min(wanted, static_cast<float>(least_rows) * row_height + heading_height + below);
    const float least = least_chart + tabs_gap;
    const bool charts = picture.rows.size() > 1 && (!bounded || options.height - fewest > least);
    const float upper = !bounded ? wanted
                        : charts ? std::min(wanted, std::max(fewest, options.height - least * 1.25F))
                                 : options.height;
    table.draw(scene, scene.width, upper - below - tabs_gap / 2 - bar);
    Layer layer;
    const float notes_top = upper < wanted ? upper - below - tabs_gap / 2 : table.height() + bar + tabs_gap / 2;
    draw_notes(layer, notes_top, scene.width, notes, picture.forms.size());
    float bottom = notes_top + below;
    if (charts) {
        const Box room{panel_padding, upper + tabs_gap, scene.width - 2 * panel_padding,
                       bounded ? options.height - upper - tabs_gap : 0};
        bottom = draw_charts(layer, room, picture, options.chart);
    }
    scene.height = bounded ? options.height : bottom + panel_padding;
    layer.flush(scene);
    return scene;
}

}  // namespace lanescope::scene
