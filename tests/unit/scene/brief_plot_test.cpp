// A plot of many lines in little room: the lines that remain, their colors, and the names at their ends.
#include "scene/brief_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace lanescope::scene {
namespace {

/// Nine lines from 2^10 to 2^24 that end at 10, 20, ... 90; all of one color; the fourth is current.
XyPlot crowded() {
    XyPlot plot;
    for (int at = 1; at <= 9; ++at) {
        PlotSeries series{.id = std::string(1, static_cast<char>('a' + at - 1)), .name = "line " + std::to_string(at)};
        for (const int power : {10, 14, 18, 21, 24}) {
            const double y = 10.0 * at * power / 24;
            series.points.push_back(
                {.x = static_cast<double>(1U << static_cast<unsigned>(power)), .y = y, .low = y, .high = y});
        }
        if (at == 4) series.highlight = Role::selected;
        plot.series.push_back(series);
    }
    plot.rules.push_back({.id = "peak", .name = "peak", .y0 = 500, .y1 = 500});
    plot.fit();
    return plot;
}

constexpr double from = 1U << 18U;

std::string shown_of(const XyPlot& plot) {
    std::string ids;
    for (const PlotSeries& series : plot.series)
        if (series.shown) ids += series.id;
    return ids;
}

TEST(BriefPlot, BesideComparedProgramsNoOtherLineIsColored) {
    XyPlot plot = crowded();
    for (PlotSeries& series : plot.series) {
        series.role = Role::soft;
        if (series.highlight) series.highlight = Role::program_b;
    }
    const XyPlot brief = brief_plot(std::move(plot), {.from_x = 0, .wanted = {}});
    for (const PlotSeries& series : brief.series)
        EXPECT_EQ(series.role, series.highlight ? Role::program_b : Role::soft);
}

TEST(BriefPlot, ShowsTheCurrentLineTheExtremesAndItsNeighborsEachInItsColor) {
    const std::map<std::string, bool> none;
    const XyPlot brief = brief_plot(crowded(), {.from_x = from, .wanted = none});
    EXPECT_EQ(shown_of(brief), "acdei") << "d is current";
    EXPECT_EQ(brief.series.size(), 9U) << "in their places";
    std::set<Role> roles;
    for (const PlotSeries& series : brief.series) {
        if (!series.shown) continue;
        EXPECT_TRUE(roles.insert(series.role).second) << series.id;
    }
    EXPECT_FALSE(brief.rules[0].shown);
}

TEST(BriefPlot, BeginsAtTheSizesThatMatter) {
    const std::map<std::string, bool> none;
    const XyPlot whole = crowded(), brief = brief_plot(crowded(), {.from_x = from, .wanted = none});
    EXPECT_LT(whole.x.low, 1U << 10U);
    EXPECT_GT(brief.x.low, 1U << 16U);
    EXPECT_LT(brief.x.low, from);
    EXPECT_GT(brief.y.low, whole.y.low);
    const XyPlot small = brief_plot(crowded(), {.from_x = 1e9, .wanted = none});
    EXPECT_LT(small.x.low, 1U << 10U) << "nothing was measured there";
}

TEST(BriefPlot, ShowsWhatTheUserHasSwitchedOn) {
    const std::map<std::string, bool> wanted{{"g", true}, {"h", false}, {"peak", true}};
    const XyPlot brief = brief_plot(crowded(), {.from_x = from, .wanted = wanted});
    EXPECT_EQ(shown_of(brief), "acdegi");
    EXPECT_TRUE(brief.rules[0].shown);
    EXPECT_EQ(brief.rules[0].x0, brief.x.low);
}

TEST(BriefPlot, KeepsTheColorsOfTheOtherLinesWhereOneIsSwitchedOff) {
    const std::map<std::string, bool> none, without{{"i", false}};
    const XyPlot all = brief_plot(crowded(), {.from_x = from, .wanted = none});
    XyPlot plot = crowded();
    plot.series.back().shown = false;
    const XyPlot fewer = brief_plot(std::move(plot), {.from_x = from, .wanted = without});
    EXPECT_EQ(shown_of(fewer), "acde");
    for (std::size_t at = 0; at < fewer.series.size(); ++at) {
        if (!fewer.series[at].shown) continue;
        EXPECT_EQ(fewer.series[at].role, all.series[at].role) << fewer.series[at].id;
    }
}

TEST(BriefPlot, ShowsAProgramOfAnotherFamilyBesideTheCeilingsAlone) {
    const std::map<std::string, bool> none, wanted{{"g", true}};
    XyPlot plot = crowded();
    plot.series[3].dashed = plot.series[8].dashed = true;  // the estimate and a ceiling
    EXPECT_EQ(shown_of(brief_plot(plot, {.from_x = from, .wanted = none, .other_family = true})), "di");
    EXPECT_EQ(shown_of(brief_plot(plot, {.from_x = from, .wanted = wanted, .other_family = true})), "dgi");
    plot.series[3].highlight.reset();
    EXPECT_NE(shown_of(brief_plot(plot, {.from_x = from, .wanted = none, .other_family = true})), "i")
        << "nothing is estimated: the measured ones stay";
}

TEST(BriefPlot, NamesEveryLineWhereItEndsAndNoneOverAnother) {
    const std::map<std::string, bool> none;
    XyPlot plot = crowded();
    for (PlotSeries& series : plot.series)
        for (PlotPoint& point : series.points) point.y = point.low = point.high = 50;  // all end in one place
    const XyPlot brief = brief_plot(plot, {.from_x = from, .wanted = none});
    Scene scene;
    const Box axes{40, 10, 200, 150};
    const float width = end_names_width(brief, 11, 90);
    draw_end_names(scene, axes, width, brief, 11);
    std::vector<Box> names;
    for (std::uint32_t row = 0; row < brief.series.size(); ++row) {
        const auto box = box_of(scene, TraceRef::Kind::series, row);
        EXPECT_EQ(box.has_value(), brief.series[row].shown);
        if (!box) continue;
        EXPECT_GE(box->y, axes.y);
        EXPECT_LE(box->bottom(), axes.bottom() + 0.01F);
        for (const Box& other : names)
            EXPECT_TRUE(box->bottom() <= other.y + 0.01F || other.bottom() <= box->y + 0.01F);
        names.push_back(*box);
    }
    EXPECT_EQ(names.size(), 5U);
}

TEST(BriefPlot, LeavesAnEmptyPlotAsItIs) {
    const std::map<std::string, bool> none;
    XyPlot plot;
    plot.lacks = "No kernel of this family was measured.";
    EXPECT_EQ(brief_plot(plot, {.from_x = from, .wanted = none}).lacks, plot.lacks);
    EXPECT_TRUE(brief_plot(XyPlot{}, {.wanted = none}).series.empty());
}

}  // namespace
}  // namespace lanescope::scene
