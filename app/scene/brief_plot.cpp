#include "scene/brief_plot.h"

#include "scene/layers.h"
#include "scene/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace lanescope::scene {

namespace {

constexpr std::array line_roles = {Role::useful, Role::agrees,   Role::read, Role::cost,
                                   Role::text,   Role::selected, Role::soft};
constexpr float name_row = 1.35F;        // of the text size
constexpr float leader = 14, inset = 4;  // points from the axes to a name
constexpr std::size_t least_points = 2;  // for a line

bool is_wanted(const BriefOptions& options, const std::string& id) {
    const auto found = options.wanted.find(id);
    return found != options.wanted.end() && found->second;
}

/// A line that the user has switched off keeps its place and its color: no other line takes them.
bool is_switched_off(const BriefOptions& options, const std::string& id) {
    const auto found = options.wanted.find(id);
    return found != options.wanted.end() && !found->second;
}

double end_of(const PlotSeries& series) { return series.points.back().y; }

/// By the ends of their lines, highest first.
std::vector<PlotSeries*> lines_of(XyPlot& plot, const BriefOptions& options) {
    std::vector<PlotSeries*> lines;
    for (PlotSeries& series : plot.series)
        if ((series.shown || is_switched_off(options, series.id)) && !series.points.empty()) lines.push_back(&series);
    std::ranges::stable_sort(
        lines, [](const PlotSeries* one, const PlotSeries* other) { return end_of(*one) > end_of(*other); });
    return lines;
}

std::set<PlotSeries*> kept_of(const std::vector<PlotSeries*>& lines, const BriefOptions& options) {
    std::set<PlotSeries*> kept;
    std::size_t chosen = 0;
    const auto is_measured = [](const PlotSeries* series) { return series->line && !series->dashed; };
    const auto current = std::ranges::find_if(lines, &PlotSeries::is_highlighted);
    const bool alone = options.other_family && current != lines.end();
    const auto keep = [&](PlotSeries* series) {
        if (alone && is_measured(series) && !series->highlight) return;
        if (chosen < options.most_lines && kept.insert(series).second) ++chosen;
    };
    for (PlotSeries* series : lines)
        if (series->highlight) keep(series);
    const auto highest = std::ranges::find_if(lines, is_measured);
    const auto bottom_line = std::find_if(lines.rbegin(), lines.rend(), is_measured);
    if (highest != lines.end()) keep(*highest);
    if (bottom_line != lines.rend()) keep(*bottom_line);
    // Outwards from the current line, or from the highest.
    const auto from = static_cast<std::ptrdiff_t>(current != lines.end() ? current - lines.begin() : 0);
    for (std::ptrdiff_t away = 1; away < std::ssize(lines); ++away)
        for (const std::ptrdiff_t at : {from - away, from + away})
            if (at >= 0 && at < std::ssize(lines)) keep(lines[static_cast<std::size_t>(at)]);
    for (PlotSeries* series : lines)
        if (is_wanted(options, series->id)) kept.insert(series);
    return kept;
}

/// As many lines as there are colors get one each; a line keeps its color unless a line before it has the same.
void assign_colors(const std::vector<PlotSeries*>& lines) {
    std::set<Role> used;
    // A highlighted line has the highlight's color, whatever its own.
    for (PlotSeries* series : lines)
        if (series->highlight && used.insert(*series->highlight).second) series->role = *series->highlight;
    // While programs are compared, the other lines stay gray, because the list's colors resemble theirs.
    if (std::ranges::any_of(used, [](Role role) { return role != Role::selected; })) return;
    for (PlotSeries* series : lines) {
        if (series->highlight || !series->shown || used.insert(series->role).second) continue;
        const auto unused = std::ranges::find_if(line_roles, [&](Role role) { return !used.contains(role); });
        if (unused == line_roles.end()) continue;
        series->role = *unused;
        used.insert(*unused);
    }
}

/// fit() with only the points from `from_x` on.
void fit_from(XyPlot& plot, double from_x) {
    std::size_t lines = 0;
    for (const PlotSeries& series : plot.series) {
        const auto right =
            std::ranges::count_if(series.points, [&](const PlotPoint& each) { return each.x >= from_x; });
        if (series.shown && static_cast<std::size_t>(right) >= least_points) ++lines;
    }
    if (lines == 0) return plot.fit();
    XyPlot part = plot;
    for (PlotSeries& series : part.series)
        std::erase_if(series.points, [&](const PlotPoint& each) { return each.x < from_x; });
    part.fit();
    plot.x = part.x;
    plot.y = part.y;
}

}  // namespace

XyPlot brief_plot(XyPlot plot, const BriefOptions& options) {
    const std::vector<PlotSeries*> lines = lines_of(plot, options);
    if (!plot.lacks.empty() || lines.empty()) return plot;
    const std::set<PlotSeries*> kept = kept_of(lines, options);
    for (PlotSeries* series : lines) {
        series->shown = kept.contains(series);
        series->named = false;  // its name is drawn beside the axes instead
    }
    for (PlotRule& rule : plot.rules) rule.shown = rule.shown && is_wanted(options, rule.id);
    assign_colors(lines);
    for (PlotSeries* series : lines) series->shown = series->shown && !is_switched_off(options, series->id);
    fit_from(plot, options.from_x);
    for (PlotRule& rule : plot.rules) {
        rule.x0 = plot.x.low;
        rule.x1 = plot.x.high;
    }
    return plot;
}

float end_names_width(const XyPlot& plot, float text_size, float most) {
    float widest = 0;
    for (const PlotSeries& series : plot.series)
        if (series.shown) widest = std::max(widest, text_width(Font::words_medium, text_size, series.name));
    return std::min(std::ceil(widest) + leader + inset, most);
}

void draw_end_names(Scene& scene, const Box& axes, float width, const XyPlot& plot, float text_size) {
    struct Name {
        std::size_t series = 0;
        float end = 0, y = 0;
    };
    std::vector<Name> names;
    for (std::size_t at = 0; at < plot.series.size(); ++at) {
        const PlotSeries& series = plot.series[at];
        if (!series.shown || series.points.empty()) continue;
        const float share = std::clamp(static_cast<float>(plot.y.share(end_of(series))), 0.0F, 1.0F);
        names.push_back({.series = at, .end = axes.bottom() - share * axes.height});
    }
    std::ranges::stable_sort(names, {}, &Name::end);
    const float row = name_row * text_size;
    // Downwards, as far apart as necessary, then back up from the bottom where they went too far.
    float least = axes.y + row / 2;
    for (Name& name : names) {
        name.y = std::max(name.end, least);
        least = name.y + row;
    }
    float most = axes.bottom() - row / 2;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        name->y = std::min(name->y, most);
        most = name->y - row;
    }
    Layer layer;
    for (const Name& name : names) {
        const PlotSeries& series = plot.series[name.series];
        const Font font = series.highlight ? Font::words_medium : Font::words;
        Rect under = rect({axes.right(), name.y - row / 2, width, row}, 0, {});
        under.ref = ref_to(TraceRef::Kind::series, name.series);
        layer.rects.push_back(under);
        layer.curves.push_back(
            line(axes.right() + 1, name.end, axes.right() + leader - 2, name.y, {series.role, 1}, 1.5F));
        layer.put(axes.right() + leader, name.y, Anchor::start,
                  {font, text_size, {series.highlight ? Role::text : Role::soft, 1}},
                  fitted(font, text_size, series.name, width - leader - inset));
    }
    layer.flush(scene);
}

}  // namespace lanescope::scene
