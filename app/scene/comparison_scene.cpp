#include "scene/comparison_scene.h"

#include "scene/layers.h"
#include "scene/program_tag.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace lanescope::scene {
namespace {

using analysis::Change;
using analysis::ComparedPass;
using analysis::CountColumn;

constexpr float line_height = 19, row_height = 38, heading_height = 30, name_size = 14, text_size = 13.5F;
constexpr float number_size = 13, label_size = 12.5F, small_size = 11.5F;
constexpr float gap = 10, bar_height = 7, least_bar = 26, least_label = 64, most_label = 170;
constexpr float heading_line = 13, short_line = 62;
constexpr Role role_of_one = role_of_program(0), role_of_other = role_of_program(1);

/// The values of both runs in one row of a group of columns.
struct Pair {
    double one = 0, other = 0;  ///< not finite: nothing to draw
    std::string of_one, of_other, delta;
    Change change = Change::unknown;
};

/// One quantity: its heading and its values by row; the total is last.
struct Group {
    std::string heading, unit;
    std::size_t column = 0;  ///< of its references
    std::vector<Pair> rows;
    double most = 0;  ///< the largest row but the total: the length of a full bar
    float width = 0, numbers = 0, deltas = 0;
};

Pair pair_of(const CountColumn& column, double one, double other) {
    return {.one = one,
            .other = other,
            .of_one = analysis::exact_text(column, one),
            .of_other = analysis::exact_text(column, other),
            .delta = analysis::delta_text(column, one, other),
            .change = analysis::change_of(column, one, other)};
}

Group group_of(const analysis::Comparison& comparison, std::size_t index) {
    const CountColumn& column = comparison.columns[index];
    Group group{.heading = std::string(column.heading), .unit = {}, .column = index};
    for (const ComparedPass& pass : comparison.passes)
        group.rows.push_back(
            pair_of(column, analysis::value_of(column, pass.one), analysis::value_of(column, pass.other)));
    group.rows.push_back(
        pair_of(column, column.value(comparison.one_total, 0), column.value(comparison.other_total, 0)));
    return group;
}

/// Differences below the model's error are neither better nor worse. `error`: relative.
Pair pair_of_times(const std::optional<double>& one, const std::optional<double>& other, double error) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    const auto text = [](const std::optional<double>& time) { return time ? fmt::format("{:.2f}", *time) : "–"; };
    Pair pair{.one = one.value_or(none), .other = other.value_or(none), .of_one = text(one), .of_other = text(other)};
    if (one && other) {
        const timing::TimeChange change = timing::change_between(*one, *other, error);
        pair.change = !change.noticed ? Change::none : change.delta < 0 ? Change::better : Change::worse;
        pair.delta = change.text();
    }
    return pair;
}

Group group_of_times(const timing::ComparedTimes& times, std::size_t column) {
    Group group{.heading = "estimated time", .unit = "µs", .column = column};
    for (const timing::PassTimes& pass : times.passes)
        group.rows.push_back(pair_of_times(pass.one, pass.other, times.median_error));
    group.rows.push_back(pair_of_times(times.one.estimated(), times.other.estimated(), times.median_error));
    return group;
}

class Drawing {
  public:
    Drawing(const ComparisonSubject& subject, const ComparisonOptions& options)
        : subject_(subject), comparison_(subject.comparison), options_(options) {}

    Scene draw() {
        scene_.title = fmt::format("{} and {}", subject_.one, subject_.other);
        scene_.width = options_.width;
        y_ = panel_padding;
        draw_name(0, subject_.one);
        draw_name(1, subject_.other);
        paragraph("B against A: " + analysis::change_sentence(comparison_), Font::words_medium, text_size, Role::text);
        if (!subject_.caveat.empty()) paragraph(subject_.caveat, Font::words_medium, text_size, Role::cost);
        measure();
        for (std::size_t first = 0; first < groups_.size(); first += groups_in_table_) {
            table_ = std::span(groups_).subspan(first, std::min(groups_in_table_, groups_.size() - first));
            draw_headings();
            for (std::size_t row = 0; row < comparison_.passes.size(); ++row) draw_row(row);
            draw_total();
        }
        paragraph(analysis::alignment_sentence(comparison_), Font::words, small_size, Role::soft);
        draw_times();
        scene_.height = y_ + panel_padding / 2;
        layer_.flush(scene_);
        return std::move(scene_);
    }

  private:
    [[nodiscard]] float room() const { return options_.width - 2 * panel_padding; }

    void put(float x, float y, Anchor anchor, const Style& style, std::string text) {
        layer_.put(x, y, anchor, style, std::move(text));
    }

    void draw_name(std::size_t program, const std::string& name) {
        constexpr float tag = 18;
        draw_program_tag(layer_, {panel_padding, y_, tag, tag}, program, label_size);
        put(panel_padding + tag + 8, y_ + tag / 2, Anchor::start, {Font::words_bold, name_size},
            fitted(Font::words_bold, name_size, name, room() - tag - 8));
        y_ += tag + 6;
    }

    /// Adds the text to the description, too.
    void paragraph(const std::string& text, Font font, float size, Role role) {
        y_ += 4;
        for (const std::string& line : wrapped(font, size, text, room())) {
            put(panel_padding, y_ + line_height / 2, Anchor::start, {font, size, {role, 1}}, line);
            y_ += line_height;
        }
        y_ += 4;
        scene_.description += text + '\n';
    }

    /// Places every group. Where the width is scarce, headings take two lines, then the bars are dropped, then there
    /// are two tables, one below the other.
    void measure() {
        several_launches_ = std::ranges::any_of(comparison_.passes, [](const ComparedPass& pass) {
            return (pass.one && pass.one->launch > 0) || (pass.other && pass.other->launch > 0);
        });
        label_ = text_width(Font::words, label_size, "A: total");
        for (const ComparedPass& pass : comparison_.passes) {
            for (const auto& each : {pass.one, pass.other})
                label_ = std::max(label_, text_width(Font::code, label_size, label_of(each, several_launches_)));
        }
        label_ = std::clamp(std::ceil(label_), least_label, most_label) + gap;
        for (std::size_t index = 0; index < comparison_.columns.size(); ++index)
            groups_.push_back(group_of(comparison_, index));
        if (subject_.times != nullptr && !subject_.times->passes.empty())
            groups_.push_back(group_of_times(*subject_.times, comparison_.columns.size()));
        for (Group& group : groups_) {
            for (std::size_t row = 0; row < group.rows.size(); ++row) {
                const Pair& pair = group.rows[row];
                for (const std::string* text : {&pair.of_one, &pair.of_other})
                    group.numbers = std::max(group.numbers, text_width(Font::code, number_size, *text));
                group.deltas = std::max(group.deltas, text_width(Font::code, number_size, pair.delta));
                if (row + 1 == group.rows.size()) break;
                for (const double value : {pair.one, pair.other})
                    if (std::isfinite(value)) group.most = std::max(group.most, value);
            }
        }
        const float all = room() - label_;
        struct Manner {
            float bar = 0, apart = 0;
            bool folded = false;
        };
        constexpr float tight = 5;
        groups_in_table_ = groups_.size();
        for (const Manner& manner :
             {Manner{least_bar, gap, false}, Manner{least_bar, gap, true}, Manner{0, tight, true}}) {
            set_widths(manner.bar, manner.apart, manner.folded);
            if (widest_table() <= all) break;
        }
        // The fewest tables that fit, each with as many groups.
        if (widest_table() > all && groups_in_table_ > 1) set_widths(least_bar, gap, true);
        for (std::size_t tables = 2; widest_table() > all && groups_in_table_ > 1; ++tables)
            groups_in_table_ = (groups_.size() + tables - 1) / tables;
        const float more =
            std::max(all - widest_table(), 0.0F) / static_cast<float>(std::max<std::size_t>(groups_in_table_, 1));
        constexpr float most_more = 90;
        for (Group& group : groups_) group.width += std::min(more, most_more);
    }

    void set_widths(float bar, float apart, bool folded) {
        apart_ = apart;
        folded_ = folded;
        for (Group& group : groups_) {
            group.width = std::ceil(bar + group.numbers + group.deltas) + 2 * apart;
            for (const std::string& line : heading_of(group, folded))
                group.width = std::max(group.width, text_width(Font::words, small_size, line) + apart);
        }
    }

    /// The width of the widest table.
    [[nodiscard]] float widest_table() const {
        float widest = 0;
        for (std::size_t first = 0; first < groups_.size(); first += groups_in_table_) {
            float width = 0;
            for (std::size_t at = first; at < std::min(first + groups_in_table_, groups_.size()); ++at)
                width += groups_[at].width;
            widest = std::max(widest, width);
        }
        return widest;
    }

    /// The heading in one line, or in several short ones.
    static std::vector<std::string> heading_of(const Group& group, bool folded) {
        const std::string text = group.unit.empty() ? group.heading : group.heading + ", " + group.unit;
        return folded ? wrapped(Font::words, small_size, text, short_line) : std::vector<std::string>{text};
    }

    void draw_headings() {
        y_ += 6;
        std::size_t lines = 1;
        for (const Group& group : table_) lines = std::max(lines, heading_of(group, folded_).size());
        const float height = heading_height + heading_line * static_cast<float>(lines - 1);
        float x = panel_padding + label_;
        for (const Group& group : table_) {
            Rect under = rect({x, y_, group.width, height}, 0, {});
            under.ref = ref_to(TraceRef::Kind::heading, 0, group.column);
            layer_.rects.push_back(under);
            const std::vector<std::string> words = heading_of(group, folded_);
            float y = y_ + height / 2 - heading_line * static_cast<float>(words.size() - 1) / 2;
            for (const std::string& line : words) {
                put(x + apart_, y, Anchor::start, {Font::words, small_size, {Role::soft, 1}},
                    fitted(Font::words, small_size, line, group.width - apart_));
                y += heading_line;
            }
            x += group.width;
        }
        y_ += height;
        rule();
    }

    void rule() {
        layer_.rects.push_back(rect({panel_padding, y_, room(), 1}, 0, {Role::line, 1}));
        y_ += 1;
    }

    void draw_row(std::size_t row) {
        const ComparedPass& pass = comparison_.passes[row];
        const Box box{panel_padding / 2, y_, options_.width - panel_padding, row_height};
        Rect band = rect(box, 4,
                         options_.current == row   ? Paint{Role::cursor, 0.28F}
                         : options_.hovered == row ? Paint{Role::line, 0.5F}
                                                   : Paint{});
        band.ref = ref_to(TraceRef::Kind::row, row);
        layer_.rects.push_back(band);
        const std::string one = label_of(pass.one, several_launches_), other = label_of(pass.other, several_launches_);
        draw_label(one, pass.one.has_value(), y_ + row_height * 0.28F);
        draw_label(other, pass.other.has_value(), y_ + row_height * 0.72F);
        draw_values(row, fmt::format("{} | {}", one, other));
        y_ += row_height;
    }

    void draw_label(const std::string& text, bool there, float y) {
        const Font font = there ? Font::code : Font::words;
        put(panel_padding, y, Anchor::start, {font, label_size, {there ? Role::text : Role::soft, 1}},
            fitted(font, label_size, text, label_ - gap));
    }

    void draw_total() {
        rule();
        put(panel_padding, y_ + row_height * 0.28F, Anchor::start, {Font::words_medium, label_size}, "A: total");
        put(panel_padding, y_ + row_height * 0.72F, Anchor::start, {Font::words_medium, label_size}, "B: total");
        draw_values(comparison_.passes.size(), "total");
        y_ += row_height;
    }

    void draw_values(std::size_t row, const std::string& label) {
        float x = panel_padding + label_;
        scene_.description += label + ':';
        const bool total = row == comparison_.passes.size();
        for (const Group& group : table_) {
            const Pair& pair = group.rows[row];
            draw_pair(pair, x, group.width, group.numbers, group.deltas, total ? 0 : group.most, total);
            scene_.description += fmt::format("{} {} {} to {}", x == panel_padding + label_ ? "" : ",", group.heading,
                                              pair.of_one, pair.of_other);
            if (!pair.delta.empty()) scene_.description += fmt::format(" ({})", pair.delta);
            x += group.width;
        }
        scene_.description += '\n';
    }

    /// Bars at the left, the values beside them, the change at the right. Without `most`, no bars.
    void draw_pair(const Pair& pair, float x, float width, float numbers, float deltas, double most, bool bold) {
        const float upper = y_ + row_height * 0.28F, lower = y_ + row_height * 0.72F;
        const float bars = width - numbers - deltas - 3 * apart_;
        const float end = x + width - deltas - apart_;
        const Font font = bold ? Font::code_bold : Font::code;
        const auto draw = [&](double value, const std::string& text, float y, Role role) {
            if (bars >= 1 && most > 0 && std::isfinite(value) && value > 0) {
                const float length = std::max(bars * static_cast<float>(value / most), 1.0F);
                layer_.rects.push_back(rect({x + apart_, y - bar_height / 2, length, bar_height}, 2, {role, 1}));
            }
            put(end, y, Anchor::end, {font, number_size, {std::isfinite(value) ? Role::text : Role::soft, 1}}, text);
        };
        draw(pair.one, pair.of_one, upper, role_of_one);
        draw(pair.other, pair.of_other, lower, role_of_other);
        if (pair.delta.empty()) return;
        put(x + width, (upper + lower) / 2, Anchor::end, {font, number_size, {role_of(pair.change), 1}}, pair.delta);
    }

    void draw_times() {
        if (subject_.times == nullptr) {
            if (!subject_.waiting.empty()) paragraph(subject_.waiting, Font::words, text_size, Role::soft);
            return;
        }
        const timing::ComparedTimes& times = *subject_.times;
        rule();
        const float top = y_;
        for (const std::string& sentence : {times.measured_sentence(), times.estimated_sentence()})
            if (!sentence.empty()) paragraph(sentence, Font::words_medium, text_size, Role::text);
        if (times.one.parts || times.other.parts) draw_shares(times);
        if (!times.passes.empty()) {
            paragraph("The estimated times of the passes leave out launches and blocks, which the total includes.",
                      Font::words, small_size, Role::soft);
        }
        Rect note = rect({panel_padding, top, room(), y_ - top}, 0, {});
        note.ref = ref_to(TraceRef::Kind::note, 0);
        layer_.rects.insert(layer_.rects.begin(), note);
    }

    void draw_shares(const timing::ComparedTimes& times) {
        put(panel_padding, y_ + heading_height / 2, Anchor::start, {Font::words, small_size, {Role::soft, 1}},
            "share of each count in the estimated time");
        y_ += heading_height - 4;
        double most = 0;
        for (const timing::LaunchTime* time : {&times.one, &times.other}) {
            if (time->parts) most = std::max(most, *std::ranges::max_element(*time->parts));
        }
        const float names = std::min(230.0F, room() / 2);
        for (std::size_t term = 0; term < timing::cost_terms.size(); ++term) {
            const auto value = [&](const timing::LaunchTime& time) {
                return time.parts ? std::optional((*time.parts)[term]) : std::nullopt;
            };
            const auto one = value(times.one), other = value(times.other);
            if (one.value_or(0) == 0 && other.value_or(0) == 0) continue;
            Pair pair = pair_of_times(one, other, times.median_error);
            const auto text = [&](const timing::LaunchTime& time, const std::optional<double>& part) {
                return part ? fmt::format("{:.2f} µs  {:3.0f} %", *part, 100 * *part / *time.estimated()) : "–";
            };
            pair.of_one = text(times.one, one);
            pair.of_other = text(times.other, other);
            const float numbers = std::max(text_width(Font::code, number_size, pair.of_one),
                                           text_width(Font::code, number_size, pair.of_other));
            const float deltas = text_width(Font::code, number_size, "+00.00");
            const std::string name(timing::cost_terms[term]);
            put(panel_padding, y_ + row_height / 2, Anchor::start, {Font::words, label_size},
                fitted(Font::words, label_size, name, names - gap));
            draw_pair(pair, panel_padding + names, std::min(room() - names, 520.0F), numbers, deltas, most, false);
            scene_.description += fmt::format("{}: {} to {}\n", name, pair.of_one, pair.of_other);
            y_ += row_height;
        }
    }

    const ComparisonSubject& subject_;
    const analysis::Comparison& comparison_;
    const ComparisonOptions& options_;
    Scene scene_;
    Layer layer_;
    std::vector<Group> groups_;
    std::span<const Group> table_;  // the groups of the table that is drawn
    std::size_t groups_in_table_ = 1;
    bool folded_ = false;  // the headings take several lines
    bool several_launches_ = false;
    float apart_ = gap;  // between a bar, its number and the change
    float label_ = 0, y_ = 0;
};

}  // namespace

Scene comparison_scene(const ComparisonSubject& subject, const ComparisonOptions& options) {
    return Drawing(subject, options).draw();
}

}  // namespace lanescope::scene
