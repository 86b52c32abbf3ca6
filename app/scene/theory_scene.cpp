#include "scene/theory_scene.h"

#include "analysis/theory/greedy_schedule.h"
#include "scene/layers.h"
#include "scene/text.h"
#include "scene/theory_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <variant>

namespace lanescope::scene {

using analysis::TheoryPicture;

namespace {

constexpr float section_gap = 22, title_line = 22, title_gap = 6;
constexpr float sign_room = 18;
constexpr float least_large = 700;  // points of a column whose texts are larger
constexpr float least_name = 60;    // of a table's first column
constexpr float lacking_plot = 56, least_plot = 210, most_plot = 270, plot_share = 0.52F;

/// Text sizes and the gap between columns; the first that fits the width is taken.
struct Manner {
    float numbers = 13.5F, headings = 12, row = 24, gap = 20;
};
constexpr std::array manners = {Manner{15.5F, 13, 26, 24}, Manner{}, Manner{12.5F, 11.5F, 22, 15},
                                Manner{11.5F, 11, 21, 11}, Manner{10.5F, 10, 20, 7}};

/// A table at its place: where its columns begin and end.
class TableDrawing {
  public:
    TableDrawing(const TheoryTable& table, float width, bool large) : table_(table), width_(width) {
        // The largest is for wide panels, which are read from the back row.
        for (const Manner& manner : std::span(manners).subspan(large ? 0 : 1)) {
            manner_ = manner;
            measure(width);
            if (total_ <= width) return;
        }
        // The names in the first column are cut off.
        measure(std::max(end_.front() - (total_ - width), least_name));
    }

    /// The points that it takes, at least as many as its title.
    [[nodiscard]] float taken(float title) const { return std::min(std::max(total_, title), width_); }

    /// Draws the table and returns its bottom.
    float draw(Layer& layer, float left, float top) const {
        const bool two = std::ranges::any_of(table_.columns, [](const auto& each) { return !each.upper.empty(); });
        const float line = manner_.headings + 4;
        const Style heading{Font::words, manner_.headings, {Role::soft, 1}};
        float y = top + (two ? 2 : 1) * line + 3;
        for (std::size_t i = 0; i < table_.columns.size(); ++i) {
            if (two) put(layer, i, left, top + line / 2, heading, table_.columns[i].upper);
            put(layer, i, left, y - 3 - line / 2, heading, table_.columns[i].lower);
        }
        layer.rects.push_back(rect({left, snapped(y), std::min(total_, width_), 1}, 0, {Role::line, 1}));
        for (const TheoryTable::Row& row : table_.rows) {
            const float middle = y + manner_.row / 2;
            for (std::size_t i = 0; i < row.cells.size(); ++i) {
                const Font font = table_.columns[i].number ? Font::code : Font::words;
                put(layer, i, left, middle, {font, manner_.numbers, {Role::text, 1}}, row.cells[i]);
            }
            if (row.agrees) draw_verdict(layer, left + begin_.back() - sign_room + 5, middle, row.agrees);
            y += manner_.row;
        }
        return y;
    }

  private:
    /// `most`: width of the first column.
    void measure(float most) {
        begin_.clear();
        end_.clear();
        float x = 0;
        for (std::size_t i = 0; i < table_.columns.size(); ++i) {
            const TheoryTable::Column& column = table_.columns[i];
            const Font font = column.number ? Font::code : Font::words;
            float wide = std::max(text_width(Font::words, manner_.headings, column.upper),
                                  text_width(Font::words, manner_.headings, column.lower));
            for (const TheoryTable::Row& row : table_.rows)
                wide = std::max(wide, text_width(font, manner_.numbers, row.cells[i]));
            const bool last = i + 1 == table_.columns.size();
            if (last && std::ranges::any_of(table_.rows, [](const auto& row) { return row.agrees.has_value(); }))
                x += sign_room;
            begin_.push_back(x);
            end_.push_back(x + std::min(std::ceil(wide), i == 0 ? most : std::ceil(wide)));
            x = end_.back() + manner_.gap;
        }
        total_ = end_.empty() ? 0 : end_.back();
    }

    void put(Layer& layer, std::size_t column, float left, float y, const Style& style, const std::string& text) const {
        if (text.empty()) return;
        const bool number = table_.columns[column].number, last = column + 1 == end_.size();
        const float room = number ? end_[column] : last ? width_ - begin_[column] : end_[column] - begin_[column];
        layer.put(left + (number ? end_[column] : begin_[column]), y, number ? Anchor::end : Anchor::start, style,
                  fitted(style.font, style.size, text, room));
    }

    const TheoryTable& table_;
    float width_ = 0, total_ = 0;
    Manner manner_;
    std::vector<float> begin_, end_;  // of the columns, from the table's left edge
};

/// The sections in one column of the panel, one below the other.
class Sections {
  public:
    Sections(Scene& scene, float left, float width, float top, bool large)
        : scene_(scene),
          left_(left),
          width_(width),
          y_(top),
          large_(large),
          title_size_(large ? 16.0F : 14.0F),
          note_size_(large ? 13.5F : 12.0F),
          note_line_(large ? 19.0F : 17.0F) {}

    void table(const TheoryTable& table) {
        Layer layer;
        title(layer, table.title);
        if (!table.rows.empty()) y_ = TableDrawing(table, width_, large_).draw(layer, left_, y_);
        notes(layer, table.notes);
        layer.flush(scene_);
        y_ += section_gap;
        describe(table);
    }

    /// Two tables, side by side where both fit.
    void tables(const TheoryTable& one, const TheoryTable& other) {
        const float title = text_width(Font::words_medium, title_size_, one.title);
        const float wide = TableDrawing(one, width_, large_).taken(title) + 2 * section_gap;
        const float needed =
            TableDrawing(other, width_, large_).taken(text_width(Font::words_medium, title_size_, other.title));
        if (wide + needed > width_) {
            table(one);
            table(other);
            return;
        }
        Sections left(scene_, left_, wide - 2 * section_gap, y_, large_);
        Sections right(scene_, left_ + wide, width_ - wide, y_, large_);
        left.table(one);
        right.table(other);
        y_ = std::max(left.y_, right.y_);
    }

    /// `first`: the number of its first series in references. `table`: the plot's numbers, for the description.
    void plot(const XyPlot& plot, const TheoryTable& table, std::uint32_t first) {
        Layer layer;
        title(layer, table.title);
        layer.flush(scene_);
        const float high = plot.lacks.empty() ? std::clamp(width_ * plot_share, least_plot, most_plot) : lacking_plot;
        const float size = plot_text_size(1.6F * width_);
        const std::size_t begin = scene_.shapes.size();
        draw_plot(scene_, {left_, y_, width_, high}, plot, size);
        y_ += high;
        if (plot.lacks.empty()) {
            const float legend = legend_height(plot, false, size);
            draw_legend(scene_, {left_, y_ + 4, width_, legend}, plot, size, {.hovered = {}});
            y_ += legend + 8;
        }
        for (std::size_t i = begin; i < scene_.shapes.size(); ++i) number_series(scene_.shapes[i], first);
        notes(layer, table.notes);
        layer.flush(scene_);
        y_ += section_gap;
        describe(table);
    }

    void notes(Layer& layer, const std::vector<std::string>& sentences) {
        if (!sentences.empty()) y_ += 5;
        for (const std::string& sentence : sentences) {
            for (const std::string& line : wrapped(Font::words, note_size_, sentence, width_)) {
                layer.put(left_, y_ + note_line_ / 2, Anchor::start, {Font::words, note_size_, {Role::soft, 1}}, line);
                y_ += note_line_;
            }
        }
    }

    [[nodiscard]] float bottom() const { return y_; }

  private:
    void title(Layer& layer, const std::string& text) {
        for (const std::string& line : wrapped(Font::words_medium, title_size_, text, width_)) {
            layer.put(left_, y_ + title_line / 2, Anchor::start, {Font::words_medium, title_size_, {Role::text, 1}},
                      line);
            y_ += title_line;
        }
        y_ += title_gap;
    }

    static void number_series(Shape& shape, std::uint32_t first) {
        std::visit(
            [&]<class Any>(Any& any) {
                if constexpr (requires { any.ref; }) {
                    if (any.ref.kind == TraceRef::Kind::point) any.ref.row += first;
                    // The legend's entries are not switches here, and the axes do not move.
                    if (any.ref.kind == TraceRef::Kind::series || any.ref.kind == TraceRef::Kind::plot) any.ref = {};
                }
            },
            shape);
    }

    void describe(const TheoryTable& table) {
        scene_.description += table.title + "\n";
        for (const TheoryTable::Row& row : table.rows) {
            std::vector<std::string> cells;
            for (std::size_t i = 0; i < row.cells.size(); ++i) {
                const TheoryTable::Column& column = table.columns[i];
                const std::string heading =
                    column.upper.empty() ? column.lower : fmt::format("{} {}", column.upper, column.lower);
                cells.push_back(heading.empty() ? row.cells[i] : fmt::format("{} {}", heading, row.cells[i]));
            }
            scene_.description += fmt::format("{}\n", fmt::join(cells, ", "));
        }
        for (const std::string& note : table.notes) scene_.description += note + "\n";
    }

    Scene& scene_;
    float left_, width_, y_;
    bool large_;
    float title_size_, note_size_, note_line_;
};

PlotSeries series_of(const char* name, Role role, Marker marker, bool line, bool dashed) {
    return {.id = name, .name = name, .role = role, .marker = marker, .line = line, .dashed = dashed, .points = {}};
}

PlotPoint point_at(double x, double y) { return {.x = x, .y = y, .low = y, .high = y}; }

}  // namespace

XyPlot brent_plot(const TheoryPicture& picture) {
    XyPlot plot;
    plot.title = brent_title;
    plot.x = {.kind = PlotAxis::Kind::powers_of_two, .title = "processors p"};
    plot.y = {.kind = PlotAxis::Kind::decimal, .title = "steps"};
    if (picture.schedule.empty()) {
        plot.lacks = "No operation reaches an output: there is nothing to schedule.";
        return plot;
    }
    PlotSeries bound = series_of("at most t + (W - t) / p", Role::read, Marker::none, true, false);
    PlotSeries greedy =
        series_of("greedy schedule of the recorded operations", Role::useful, Marker::disc, false, false);
    PlotSeries least = series_of("no fewer than max(t, W / p)", Role::soft, Marker::none, true, true);
    const auto most = static_cast<double>(picture.schedule.back().processors);
    const auto samples = static_cast<int>(std::lround(8 * std::log2(most)));
    for (int i = 0; i <= samples; ++i) {
        const double p = std::exp2(i / 8.0);
        bound.points.push_back(point_at(p, analysis::brent_bound(picture.work, picture.span, p)));
        least.points.push_back(point_at(p, analysis::least_steps(picture.work, picture.span, p)));
    }
    for (const analysis::ScheduledSteps& at : picture.schedule)
        greedy.points.push_back(point_at(static_cast<double>(at.processors), static_cast<double>(at.steps)));
    plot.series = {std::move(bound), std::move(greedy), std::move(least)};
    plot.fit();
    return plot;
}

XyPlot work_plot(const TheoryPicture& picture, const std::string& measuring) {
    XyPlot plot;
    plot.title = "Work over N";
    plot.x = {.kind = PlotAxis::Kind::powers_of_two, .title = "N"};
    plot.y = {.kind = PlotAxis::Kind::decimal, .title = "operations"};
    if (picture.work_by_size.empty()) {
        plot.lacks = measuring.empty() ? "Not measured." : fmt::format("Measuring {} ...", measuring);
        return plot;
    }
    if (std::ranges::all_of(picture.work_by_size, [](const auto& at) { return at.work == 0; })) {
        plot.lacks = "W is 0 at every size that was measured.";
        return plot;
    }
    PlotSeries measured = series_of(picture.of_addresses ? "address work W, measured" : "work W, measured",
                                    Role::useful, Marker::disc, false, false);
    PlotSeries linear = series_of("N - 1", Role::soft, Marker::none, true, true);
    PlotSeries logarithmic = series_of("N log2 N", Role::read, Marker::none, true, true);
    for (const analysis::WorkAtSize& at : picture.work_by_size) {
        const auto n = static_cast<double>(at.n);
        // Neither axis has a place for 0.
        if (at.work > 0) measured.points.push_back(point_at(n, static_cast<double>(at.work)));
        linear.points.push_back(point_at(n, n - 1));
        logarithmic.points.push_back(point_at(n, n * std::log2(n)));
    }
    plot.series = {std::move(measured), std::move(linear), std::move(logarithmic)};
    plot.fit();
    return plot;
}

Scene theory_scene(const TheoryPicture& picture, const TheoryOptions& options) {
    Scene scene;
    scene.title = "Theory, measured";
    scene.width = options.width;
    Layer layer;
    const bool two = options.width >= theory_two_columns;
    const float gap = 2 * panel_padding;
    const float width = two ? (options.width - 2 * panel_padding - gap) / 2 : options.width - 2 * panel_padding;
    const bool large = width >= least_large;
    Sections head(scene, panel_padding, options.width - 2 * panel_padding, panel_padding / 2, large);
    head.notes(layer, picture.scope);
    layer.flush(scene);
    for (const std::string& sentence : picture.scope) scene.description += sentence + "\n";
    const float top = head.bottom() + (picture.scope.empty() ? 4 : 10);

    Sections left(scene, panel_padding, width, top, large);
    left.tables(work_table(picture), cost_table(picture));
    left.plot(brent_plot(picture), brent_table(picture), 0);
    left.table(processors_table(picture));
    Sections right(scene, two ? panel_padding + width + gap : panel_padding, width, two ? top : left.bottom(), large);
    TheoryTable sizes = work_by_size_table(picture);
    if (!options.measuring.empty()) sizes.title += fmt::format(": measuring {}", options.measuring);
    right.plot(work_plot(picture, options.measuring), sizes, first_work_series);
    right.table(elements_table(picture));
    right.table(occupancy_table(picture));
    scene.height = std::max(left.bottom(), right.bottom());
    return scene;
}

}  // namespace lanescope::scene
