#include "scene/multiples_scene.h"

#include "scene/layers.h"
#include "scene/program_tag.h"
#include "scene/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <variant>
#include <vector>

namespace lanescope::scene {
namespace {

using analysis::Change;
using analysis::CountColumn;

constexpr float between_runs = 18, least_width = 230, least_beside = 150, tag_size = 18, run_title_height = 42,
                title_without_place = 28, count_height = 22, tight_count_height = 19, bar_thick = 3,
                folded_heading = 12;
// Of a picture: above the names of its arrays, and below its last row.
constexpr float blank_above = 8, blank_below = 10;
constexpr float without_picture = 60;
// Sizes of the enlarged run and of the table beside it.
constexpr float least_enlarged = 150, least_beside_table = 300, below_enlarged = 8, between_table = 26;
constexpr float least_table_column = 46, between_columns = 14, table_row = 44, table_tag = 15;
constexpr float name_em = 13.5F, place_em = 11.5F, count_em = 12.5F, sentence_em = 12.5F, sentence_line = 18;

/// The number of runs that fit into a row of the picture.
std::size_t runs_in_row(float width, std::size_t runs, bool beside) {
    const float least = beside ? least_beside : least_width;
    const auto fit = static_cast<std::size_t>((width - 2 * panel_padding + between_runs) / (least + between_runs));
    if (fit >= runs) return std::max<std::size_t>(runs, 1);
    // Four runs are drawn as two rows of two.
    return fit >= 2 ? 2 : 1;
}

/// A value of one run, drawn below its picture.
struct Amount {
    std::string text, delta;
    double value = 0;  ///< not finite: no bar
    Change change = Change::unknown;
};
/// One quantity of all runs.
struct Quantity {
    std::string heading, brief;  ///< brief: where the heading has no room
    std::vector<Amount> of_runs;
};

const analysis::Pass* total_of_run(std::span<const Multiple> runs, std::size_t run) {
    if (run > 0) return runs[run].comparison == nullptr ? nullptr : &runs[run].comparison->other_total;
    const auto known = std::ranges::find_if(runs, [](const Multiple& each) { return each.comparison != nullptr; });
    return known == runs.end() ? nullptr : &known->comparison->one_total;
}

std::vector<Quantity> quantities_of(std::span<const Multiple> runs) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    std::vector<Quantity> all;
    std::vector<const analysis::Pass*> totals;
    for (std::size_t run = 0; run < runs.size(); ++run) totals.push_back(total_of_run(runs, run));
    for (const CountColumn& column : analysis::compared_columns(totals)) {
        Quantity quantity{.heading = std::string(column.heading), .brief = std::string(column.brief), .of_runs = {}};
        const auto value_of = [&](std::size_t run) {
            return totals[run] == nullptr ? none : column.value(*totals[run], 0);
        };
        const double first = value_of(0);
        bool known = false;
        for (std::size_t run = 0; run < runs.size(); ++run) {
            const double value = value_of(run);
            known = known || std::isfinite(value);
            Amount amount{.text = analysis::exact_text(column, value), .delta = {}, .value = value};
            if (run > 0) {
                amount.delta = analysis::delta_text(column, first, value);
                amount.change = analysis::change_of(column, first, value);
            }
            quantity.of_runs.push_back(std::move(amount));
        }
        if (known) all.push_back(std::move(quantity));
    }
    return all;
}

/// A difference within the model's error is neither better nor worse.
std::optional<Quantity> times_of(std::span<const Multiple> runs) {
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    Quantity quantity{.heading = "estimated time, µs", .brief = "est. time, µs", .of_runs = {}};
    bool known = false;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        // The first run's estimate comes from its first comparison.
        const auto with_times = std::ranges::find_if(runs, [](const Multiple& each) { return each.times != nullptr; });
        const timing::ComparedTimes* const times = run > 0                    ? runs[run].times
                                                   : with_times == runs.end() ? nullptr
                                                                              : with_times->times;
        const std::optional<double> first = times == nullptr ? std::nullopt : times->one.estimated();
        const std::optional<double> here = run == 0           ? first
                                           : times == nullptr ? std::nullopt
                                                              : times->other.estimated();
        Amount amount{.text = here ? fmt::format("{:.2f}", *here) : "–", .delta = {}, .value = here.value_or(none)};
        known = known || here;
        if (run > 0 && here && first) {
            const timing::TimeChange change = timing::change_between(*first, *here, times->median_error);
            amount.delta = change.text();
            amount.change = !change.noticed ? Change::none : change.delta < 0 ? Change::better : Change::worse;
        }
        quantity.of_runs.push_back(std::move(amount));
    }
    return known ? std::optional(std::move(quantity)) : std::nullopt;
}

/// The picture of a run is a single target for the mouse.
Scene without_references(const Scene& picture) {
    Scene plain = picture;
    plain.background = {};
    for (Shape& shape : plain.shapes) {
        std::visit(
            [](auto& each) {
                if constexpr (requires { each.ref; }) each.ref = {};
            },
            shape);
    }
    return plain;
}

class Multiples {
  public:
    Multiples(std::span<const Multiple> runs, const MultiplesOptions& options)
        : runs_(runs), options_(options), quantities_(quantities_of(runs)) {
        const bool placed = std::ranges::any_of(runs, [](const Multiple& each) { return !each.place.empty(); });
        title_ = placed ? run_title_height : title_without_place;
        if (auto times = times_of(runs)) quantities_.push_back(*std::move(times));
        beside_ = runs_in_row(options.width, runs.size(), options.beside);
        measure_counts();
    }

    HeightOfMultiples height() {
        const std::size_t rows = (runs_.size() + beside_ - 1) / beside_;
        std::vector<Multiple> bare(runs_.begin(), runs_.end());
        for (Multiple& each : bare) each.picture = nullptr;
        return {.without_pictures = Multiples(bare, options_).draw().height -
                                    static_cast<float>(rows) * (without_picture + blank_above + blank_below),
                .rows = rows};
    }

    Scene draw() {
        scene_.title = "Passes of";
        for (std::size_t run = 0; run < runs_.size(); ++run)
            scene_.title += fmt::format("{} {}", run == 0 ? "" : ",", runs_[run].name);
        scene_.width = options_.width;
        y_ = panel_padding;
        if (options_.enlarged) {
            draw_enlarged(*options_.enlarged);
            y_ += between_runs;
        } else {
            for (std::size_t first = 0; first < runs_.size(); first += beside_)
                draw_row(first, std::min(first + beside_, runs_.size()));
        }
        if (!options_.sentences) y_ -= between_runs;  // nothing follows
        draw_all_sentences();
        scene_.height = y_ + panel_padding / 2;
        return std::move(scene_);
    }

    /// The room between the names above it and the sentences below it.
    RoomOfMultiple room_of_enlarged() {
        draw_all_sentences();
        const float sentences = std::exchange(y_, 0);
        scene_ = {};
        const float table = table_width();
        const float height = options_.height - title_ - sentences - panel_padding * 1.5F - below_enlarged / 2 -
                             (options_.sentences ? between_runs : 0);
        if (table_beside())
            return {.width = inside() - table - between_table, .height = std::max(height, table_height())};
        return {.width = inside(), .height = std::max(height - table_height() - below_enlarged, least_enlarged)};
    }

  private:
    void put(float x, float y, Anchor anchor, const Style& style, std::string text) {
        layer_.put(x, y, anchor, style, std::move(text));
    }

    [[nodiscard]] float inside() const { return options_.width - 2 * panel_padding; }

    /// Only the sentences of the enlarged run, if there is one: the table has the others.
    void draw_all_sentences() {
        if (!options_.sentences) return;
        const std::size_t only = options_.enlarged.value_or(0);
        for (std::size_t run = 1; run < runs_.size(); ++run)
            if (only == 0 || run == only) draw_sentences(run);
    }

    /// The names of all runs in a row, below them the picture of one and the counts of all.
    void draw_enlarged(std::size_t run) {
        const float column = multiple_width(options_.width, runs_.size(), true);
        const float pitch = (inside() + between_runs) / static_cast<float>(runs_.size());
        for (std::size_t each = 0; each < runs_.size(); ++each) {
            const float x = panel_padding + static_cast<float>(each) * pitch;
            const float width = std::min(column, pitch - between_runs);
            const Box box{x - between_runs / 3, y_ - 6, width + 2 * between_runs / 3, title_ + 4};
            layer_.rects.push_back(rect(box, 6,
                                        {Role::line, each == run                ? 0.6F
                                                     : options_.hovered == each ? 0.35F
                                                                                : 0}));
            if (each == run)
                layer_.rects.push_back(rect({box.x, box.bottom() - 3, box.width, 3}, 1, {role_of_program(each), 1}));
            draw_title(each, x, width);
        }
        layer_.flush(scene_);
        layer_ = {};
        y_ += title_ + below_enlarged / 2;
        const RoomOfMultiple room = Multiples(runs_, options_).room_of_enlarged();
        const Scene* const picture = runs_[run].picture;
        const float high = picture == nullptr ? without_picture
                                              : std::max(room.height, picture->height * scale_of(*picture, room.width));
        Rect all = rect({panel_padding, y_, room.width, high}, 0, {});
        all.ref = ref_to(TraceRef::Kind::row, run);
        layer_.rects.push_back(all);
        layer_.flush(scene_);
        layer_ = {};
        draw_picture(run, {panel_padding, y_, room.width, high});
        if (table_beside()) {
            draw_table(options_.width - panel_padding - table_width(), y_);
            y_ += std::max(high, table_height());
        } else {
            draw_table(panel_padding, y_ + high + below_enlarged / 2);
            y_ += high + below_enlarged / 2 + table_height();
        }
        layer_.flush(scene_);
        layer_ = {};
    }

    /// The width of a run's column in the table.
    [[nodiscard]] float table_column() const {
        float widest = 0;
        for (const Quantity& quantity : quantities_)
            for (const Amount& amount : quantity.of_runs)
                for (const std::string* text : {&amount.text, &amount.delta})
                    widest = std::max(widest, text_width(Font::code, count_em, *text));
        return std::max(std::ceil(widest), least_table_column) + between_columns;
    }
    [[nodiscard]] float table_width() const {
        return table_column() * static_cast<float>(runs_.size()) - between_columns;
    }
    [[nodiscard]] float table_height() const {
        return table_tag + 2 + table_row * static_cast<float>(quantities_.size());
    }
    [[nodiscard]] bool table_beside() const { return inside() - table_width() - between_table >= least_beside_table; }

    /// One column a run: its letter above its counts, each with a bar and the change from A.
    void draw_table(float x, float y) {
        const float column = table_column(), bar = column - between_columns;
        for (std::size_t run = 0; run < runs_.size(); ++run)
            draw_program_tag(layer_, {x + static_cast<float>(run) * column + bar - table_tag, y, table_tag, table_tag},
                             run, place_em);
        y += table_tag + 2;
        for (const Quantity& quantity : quantities_) {
            const double most = most_of(quantity);
            const bool whole = text_width(Font::words, place_em, quantity.heading) <= table_width();
            put(x, y + 7, Anchor::start, {Font::words, place_em, {Role::soft, 1}},
                whole ? quantity.heading : quantity.brief);
            for (std::size_t run = 0; run < runs_.size(); ++run) {
                const float left = x + static_cast<float>(run) * column;
                const Amount& amount = quantity.of_runs[run];
                put(left + bar, y + 20, Anchor::end,
                    {Font::code, count_em, {std::isfinite(amount.value) ? Role::text : Role::soft, 1}}, amount.text);
                draw_bar({left, y + 27, bar, bar_thick}, amount.value, most, run);
                put(left + bar, y + 36, Anchor::end, {Font::code, count_em, {role_of(amount.change), 1}}, amount.delta);
            }
            describe(quantity);
            y += table_row;
        }
    }

    static double most_of(const Quantity& quantity) {
        double most = 0;
        for (const Amount& each : quantity.of_runs)
            if (std::isfinite(each.value)) most = std::max(most, each.value);
        return most;
    }

    void draw_bar(const Box& box, double value, double most, std::size_t run) {
        layer_.rects.push_back(rect(box, 2, {Role::line, 0.5F}));
        if (most <= 0 || !std::isfinite(value) || value <= 0) return;
        const float length = std::max(box.width * static_cast<float>(value / most), 1.0F);
        layer_.rects.push_back(rect({box.x, box.y, length, box.height}, 2, {role_of_program(run), 1}));
    }

    void describe(const Quantity& quantity) {
        scene_.description += quantity.heading + ':';
        for (std::size_t run = 0; run < runs_.size(); ++run) {
            const Amount& amount = quantity.of_runs[run];
            scene_.description += fmt::format("{} {} {}", run == 0 ? "" : ",", letter_of_program(run), amount.text);
            if (!amount.delta.empty()) scene_.description += fmt::format(" ({})", amount.delta);
        }
        scene_.description += '\n';
    }

    [[nodiscard]] float scale_of(const Scene& picture, float width) const {
        const float most = options_.picture_height > 0 ? options_.picture_height / picture.height : 1;
        return std::min({width / picture.width, most, 1.0F});
    }

    void draw_row(std::size_t first, std::size_t past_last) {
        const float width = column_width();
        float tallest = without_picture;
        for (std::size_t run = first; run < past_last; ++run)
            if (const Scene* const picture = runs_[run].picture)
                tallest = std::max(tallest, picture->height * scale_of(*picture, width) - blank_above - blank_below);
        const float counts = static_cast<float>(quantities_.size()) * count_row_;
        const float height = title_ + tallest + 10 + counts;
        for (std::size_t run = first; run < past_last; ++run) {
            const float x = panel_padding + static_cast<float>(run - first) * (width + between_runs);
            Rect column = rect({x - between_runs / 3, y_ - 6, width + 2 * between_runs / 3, height + 8}, 6,
                               options_.hovered == run ? Paint{Role::line, 0.35F} : Paint{});
            column.ref = ref_to(TraceRef::Kind::row, run);
            layer_.rects.push_back(column);
            draw_title(run, x, width);
            layer_.flush(scene_);
            layer_ = {};
            const float above = runs_[run].picture == nullptr ? 0 : blank_above;
            draw_picture(run, {x, y_ + title_ - above, width, tallest + above});
            draw_counts(run, x, y_ + title_ + tallest + 10, width);
        }
        layer_.flush(scene_);
        layer_ = {};
        y_ += height + between_runs;
    }

    void draw_title(std::size_t run, float x, float width) {
        Rect under = rect({x - between_runs / 3, y_ - 6, width + 2 * between_runs / 3, title_ - 2}, 0, {});
        under.ref = ref_to(TraceRef::Kind::heading, run);
        layer_.rects.push_back(under);
        draw_program_tag(layer_, {x, y_, tag_size, tag_size}, run, count_em);
        // The end of a catalog kernel's name says more than its folder.
        std::string name = runs_[run].name;
        const float room = width - tag_size - 8;
        if (text_width(Font::words_bold, name_em, name) > room) name.erase(0, name.find('/') + 1);
        put(x + tag_size + 8, y_ + tag_size / 2, Anchor::start, {Font::words_bold, name_em},
            fitted(Font::words_bold, name_em, name, room));
        put(x + tag_size + 8, y_ + tag_size + 10, Anchor::start, {Font::words, place_em, {Role::soft, 1}},
            fitted(Font::words, place_em, runs_[run].place, width - tag_size - 8));
        scene_.description += fmt::format("{}: {}", letter_of_program(run), runs_[run].name);
        if (!runs_[run].place.empty()) scene_.description += ", " + runs_[run].place;
        scene_.description += '\n';
    }

    void draw_picture(std::size_t run, const Box& room) {
        const Scene* const picture = runs_[run].picture;
        if (picture == nullptr || picture->width <= 0) {
            put(room.x, room.y + place_em, Anchor::start, {Font::words, sentence_em, {Role::soft, 1}},
                fitted(Font::words, sentence_em, runs_[run].instead, room.width));
            return;
        }
        const float scale = scale_of(*picture, room.width);
        place_scene(scene_, without_references(*picture), room.x + (room.width - picture->width * scale) / 2, room.y,
                    scale);
    }

    [[nodiscard]] float column_width() const { return multiple_width(options_.width, runs_.size(), options_.beside); }

    /// Where a column is too narrow for a heading and its numbers, the brief heading is taken; where even that does not
    /// fit, it gets a line of its own.
    void measure_counts() {
        float headings = 0, values = 0;
        for (const Quantity& quantity : quantities_) {
            headings = std::max(headings, text_width(Font::words, place_em, quantity.brief));
            for (const Amount& amount : quantity.of_runs) {
                values = std::max(values, text_width(Font::code, count_em, amount.text));
                deltas_ = std::max(deltas_, text_width(Font::code, count_em, amount.delta));
            }
        }
        constexpr float apart = 8;
        deltas_ += apart;
        heading_room_ = column_width() - values - deltas_ - apart;
        folded_ = headings > heading_room_;
        if (folded_) heading_room_ = column_width();
        count_line_ = options_.tight ? tight_count_height : count_height;
        count_row_ = folded_ ? count_line_ + folded_heading : count_line_;
    }

    void draw_counts(std::size_t run, float x, float y, float width) {
        for (const Quantity& quantity : quantities_) {
            const Amount& amount = quantity.of_runs[run];
            const float head_y = y + count_line_ * 0.4F;
            const float line = head_y + count_row_ - count_line_;
            const bool whole = text_width(Font::words, place_em, quantity.heading) <= heading_room_;
            put(x, head_y, Anchor::start, {Font::words, place_em, {Role::soft, 1}},
                whole ? quantity.heading : quantity.brief);
            put(x + width - deltas_, line, Anchor::end,
                {Font::code, count_em, {std::isfinite(amount.value) ? Role::text : Role::soft, 1}}, amount.text);
            put(x + width, line, Anchor::end, {Font::code, count_em, {role_of(amount.change), 1}}, amount.delta);
            draw_bar({x, y + count_row_ - bar_thick - 1, width, bar_thick}, amount.value, most_of(quantity), run);
            scene_.description += fmt::format("{}: {}", quantity.heading, amount.text);
            if (!amount.delta.empty()) scene_.description += fmt::format(" ({})", amount.delta);
            scene_.description += '\n';
            y += count_row_;
        }
    }

    void draw_sentences(std::size_t run) {
        const Multiple& shown = runs_[run];
        if (shown.comparison == nullptr) return;
        std::string text =
            fmt::format("{} against A: {}", letter_of_program(run), analysis::change_sentence(*shown.comparison));
        if (shown.times != nullptr && !options_.tight) {
            for (const std::string& sentence :
                 {shown.times->measured_sentence(), shown.times->estimated_sentence(letter_of_program(run))})
                if (!sentence.empty()) text += ' ' + sentence;
        }
        const float top = y_;
        const auto paragraph = [&](const std::string& words, Role role) {
            for (const std::string& line :
                 wrapped(Font::words, sentence_em, words, options_.width - 2 * panel_padding)) {
                put(panel_padding, y_ + sentence_line / 2, Anchor::start, {Font::words, sentence_em, {role, 1}}, line);
                y_ += sentence_line;
            }
            scene_.description += words + '\n';
        };
        paragraph(text, Role::text);
        if (!shown.caveat.empty()) paragraph(shown.caveat, Role::cost);
        Rect note = rect({panel_padding, top, options_.width - 2 * panel_padding, y_ - top}, 0, {});
        note.ref = ref_to(TraceRef::Kind::note, run);
        layer_.rects.push_back(note);
        layer_.flush(scene_);
        layer_ = {};
        y_ += 6;
    }

    std::span<const Multiple> runs_;
    const MultiplesOptions& options_;
    std::vector<Quantity> quantities_;
    Scene scene_;
    Layer layer_;
    std::size_t beside_ = 1;                                      // runs in a row
    float deltas_ = 0;                                            // the width of the changes
    float count_line_ = count_height, count_row_ = count_height;  // the heights of a count's numbers, and of all of it
    float heading_room_ = 0;
    bool folded_ = false;  // the headings of counts take two lines
    float title_ = 0, y_ = 0;
};

}  // namespace

float multiple_width(float width, std::size_t runs, bool beside) {
    const auto in_row = static_cast<float>(runs_in_row(width, runs, beside));
    return std::floor((width - 2 * panel_padding - (in_row - 1) * between_runs) / in_row);
}

HeightOfMultiples height_of_multiples(std::span<const Multiple> runs, const MultiplesOptions& options) {
    return Multiples(runs, options).height();
}

RoomOfMultiple room_of_enlarged(std::span<const Multiple> runs, const MultiplesOptions& options) {
    return Multiples(runs, options).room_of_enlarged();
}

Scene multiples_scene(std::span<const Multiple> runs, const MultiplesOptions& options) {
    return Multiples(runs, options).draw();
}

}  // namespace lanescope::scene
