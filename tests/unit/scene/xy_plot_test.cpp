// Plots over two logarithmic axes: the places of the numbers, and the visible range.
#include "scene/xy_plot.h"

#include "scene/timing_plots.h"
#include "timing/recording_library.h"

#include "unit/scene/legibility.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace lanescope::scene {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const PlotAxis& axis, double low, double high, unsigned most) {
    std::vector<std::string> found;
    for (const auto& [value, text] : axis.ticks(low, high, most)) found.push_back(text);
    return found;
}

TEST(PlotAxis, HasNumbersAtRoundPlacesAndNeverTooMany) {
    const PlotAxis decimal;
    EXPECT_THAT(texts(decimal, 90, 1100, 8), ElementsAre("100", "200", "500", "1,000"));
    EXPECT_THAT(texts(decimal, 1, 10000, 6), ElementsAre("1", "10", "100", "1,000", "10,000"));
    const PlotAxis powers{.kind = PlotAxis::Kind::powers_of_two};
    EXPECT_THAT(texts(powers, 1000, 1 << 24, 9), ElementsAre("2¹⁰", "2¹²", "2¹⁴", "2¹⁶", "2¹⁸", "2²⁰", "2²²", "2²⁴"));
    EXPECT_THAT(texts(powers, 30, 1030, 9), ElementsAre("32", "64", "128", "256", "512", "1,024"));
    for (const unsigned most : {2U, 5U, 9U}) EXPECT_LE(texts(decimal, 1e-3, 1e6, most).size(), std::max(most, 5U));
}

TEST(XyPlot, IsFittedToWhatIsShown) {
    XyPlot plot;
    plot.series.push_back(
        {.id = "a",
         .points = {{.x = 10, .y = 100, .low = 90, .high = 110}, {.x = 1000, .y = 10, .low = 10, .high = 10}}});
    plot.series.push_back({.id = "b", .shown = false, .points = {{.x = 1, .y = 1e6, .low = 1e6, .high = 1e6}}});
    plot.fit();
    EXPECT_LT(plot.x.low, 10);
    EXPECT_GT(plot.x.low, 5);
    EXPECT_GT(plot.x.high, 1000);
    EXPECT_LT(plot.y.low, 10);
    EXPECT_LT(plot.y.high, 200);
}

TEST(PlotAxis, MovesByAShareAndZoomsAboutAPlace) {
    PlotAxis axis{.low = 1, .high = 100};
    axis.pan(0.5);
    EXPECT_NEAR(axis.low, 0.1, 1e-9);
    EXPECT_NEAR(axis.high, 10, 1e-9) << "what lay in the middle lies at the end";
    axis = {.low = 1, .high = 10000};
    const double there = 10;
    axis.zoom(axis.share(there), 0.5);
    EXPECT_NEAR(axis.share(there), 0.25, 1e-9) << "what the mouse is over stays there";
    EXPECT_NEAR(axis.high / axis.low, 100, 1e-6);
    for (int turn = 0; turn < 200; ++turn) axis.zoom(0.3, 0.5);
    EXPECT_LT(axis.low, axis.high) << "never empty";
    for (int turn = 0; turn < 200; ++turn) axis.zoom(0.3, 2);
    EXPECT_TRUE(std::isfinite(axis.low) && axis.low > 0 && std::isfinite(axis.high));
}

/// Two series and a rule, the second series hidden.
XyPlot small_plot() {
    XyPlot plot;
    plot.series.push_back({.id = "a",
                           .name = "first",
                           .points = {{.x = 10, .y = 100, .low = 90, .high = 110, .source = 7},
                                      {.x = 1000, .y = 10, .low = 10, .high = 10, .source = 8}}});
    plot.series.push_back({.id = "b", .name = "second", .shown = false, .points = {{.x = 30, .y = 30}}});
    plot.rules.push_back({.id = "peak",
                          .name = "peak 50",
                          .switched = "theoretical peak",
                          .x0 = 20,
                          .y0 = 50,
                          .x1 = 200,
                          .y1 = 50,
                          .details = "What the memory could move."});
    plot.fit();
    return plot;
}

Scene drawn(const XyPlot& plot) {
    Scene scene;
    draw_plot(scene, {0, 0, 500, 300}, plot, 10.5F);
    return scene;
}

TEST(XyPlot, FindsPointsAndTheAxesUnderTheMouse) {
    const Scene scene = drawn(small_plot());
    const auto point = box_of(scene, TraceRef::Kind::point, 0, 1), axes = box_of(scene, TraceRef::Kind::plot);
    ASSERT_TRUE(point && axes);
    EXPECT_EQ(nearest(scene, TraceRef::Kind::point, point->center_x() + 5, point->center_y(), 12).column, 1U);
    EXPECT_TRUE(axes->contains(point->center_x(), point->center_y()));
    EXPECT_FALSE(box_of(scene, TraceRef::Kind::point, 1, 0)) << "what is hidden is not there";
    const auto below = box_of(scene, TraceRef::Kind::plot, 0, 1), beside = box_of(scene, TraceRef::Kind::plot, 0, 2);
    ASSERT_TRUE(below && beside);
    EXPECT_GE(below->y, axes->bottom());
    EXPECT_LE(beside->right(), axes->x);
}

TEST(XyPlot, DrawsARuleFromOneEndToTheOtherWhereverTheAxesAre) {
    XyPlot plot = small_plot();
    plot.series.clear();
    for (const double zoom : {1.0, 4.0, 0.25}) {
        plot.x.zoom(0.5, zoom);
        const Scene scene = drawn(plot);
        const Box axes = *box_of(scene, TraceRef::Kind::plot);
        const std::vector<Curve> curves = all<Curve>(scene);
        ASSERT_EQ(curves.size(), 1U);
        EXPECT_FLOAT_EQ(curves[0].x0, axes.x);
        EXPECT_FLOAT_EQ(curves[0].x3, axes.right());
    }
}

TEST(XyPlot, HasALegendOfSwitchesForTheWindowAndOfWhatIsShownForFiles) {
    const XyPlot plot = small_plot();
    const std::vector<LegendEntry> switches = legend_of(plot, true), shown = legend_of(plot, false);
    ASSERT_EQ(switches.size(), 3U);
    EXPECT_EQ(switches[1].id, "b");
    EXPECT_FALSE(switches[1].shown);
    EXPECT_EQ(switches[2].name, "theoretical peak");
    ASSERT_EQ(shown.size(), 1U);
    EXPECT_EQ(shown[0].id, "a");
    Scene scene;
    draw_legend(scene, {0, 0, 160, 200}, plot, 10.5F, {.switches = true, .hovered = {}});
    const auto row = box_of(scene, TraceRef::Kind::series, 2);
    ASSERT_TRUE(row);
    EXPECT_EQ(hit(scene, row->center_x(), row->center_y()).row, 2U);
    EXPECT_TRUE(scene.viewports.empty());
}

TEST(XyPlot, ScrollsALegendThatIsHigherThanItsRoom) {
    const XyPlot plot = small_plot();
    Scene scene;
    draw_legend(scene, {0, 0, 160, 40}, plot, 10.5F, {.switches = true, .scroll = 1000, .hovered = {}});
    ASSERT_EQ(scene.viewports.size(), 1U);
    const Viewport& part = scene.viewports.front();
    EXPECT_FLOAT_EQ(part.scroll_y, part.height - part.box.height);
    EXPECT_FALSE(box_of(scene, TraceRef::Kind::series, 0)) << "scrolled away";
    EXPECT_TRUE(box_of(scene, TraceRef::Kind::series, 2));
}

class ShippedTimings : public testing::Test {
  protected:
    ShippedTimings() {
        variants_ = {{"reduce/sequential", "Reduction 3: sequential"},
                     {"reduce/grid-stride", "Reduction 7: multiple adds per thread (grid-stride)"},
                     {"reduce/atomic", "Reduction: blocks joined by atomicAdd"}};
    }
    [[nodiscard]] TimingSubject subject() const {
        const auto lecture = std::ranges::find_if(library_.all(), &timing::LibraryEntry::quoted);
        return {.recording = library_[*library_.largest()].recording,
                .lecture = &lecture->recording,
                .variants = variants_};
    }
    timing::RecordingLibrary library_ = timing::shipped_recordings();
    std::vector<timing::Variant> variants_;
};

TEST_F(ShippedTimings, NameKernelsShortly) {
    EXPECT_EQ(short_name(subject(), "reduce/sequential"), "3 sequential");
    EXPECT_EQ(short_name(subject(), "reduce/grid-stride"), "7 multiple adds per thread");
    EXPECT_EQ(short_name(subject(), "reduce/atomic"), "blocks joined by atomicAdd");
    EXPECT_EQ(short_name(subject(), "mine.cu"), "mine.cu");
}

TEST_F(ShippedTimings, UseNoSignTwice) {
    for (const char* family : {"reduce", "scan", "apply"}) {
        for (const TimingChart chart : {TimingChart::bandwidth, TimingChart::time}) {
            const XyPlot plot = timing_plot(subject(), {.chart = chart, .family = family});
            std::set<std::tuple<Role, Marker, bool>> signs;
            for (const PlotSeries& series : plot.series) {
                if (!series.shown || series.marker == Marker::none) continue;
                EXPECT_TRUE(signs.insert({series.role, series.marker, series.dashed}).second) << series.name;
            }
        }
    }
}

TEST_F(ShippedTimings, StandInEveryPlotWithTheWindowsKernelApartAndCeilingsAbove) {
    for (const TimingChart chart :
         {TimingChart::bandwidth, TimingChart::time, TimingChart::block, TimingChart::per_thread}) {
        const XyPlot plot = timing_plot(subject(), {.chart = chart, .current = "reduce/sequential"});
        EXPECT_TRUE(plot.lacks.empty()) << name_of(chart);
        const auto own = std::ranges::find(plot.series, "reduce/sequential", &PlotSeries::id);
        ASSERT_NE(own, plot.series.end()) << name_of(chart);
        EXPECT_TRUE(own->highlight && own->shown);
        for (const PlotSeries& series : plot.series) {
            EXPECT_TRUE(std::ranges::is_sorted(series.points, {}, &PlotPoint::x)) << series.id;
            for (const PlotPoint& point : series.points) EXPECT_GT(point.y, 0) << series.id;
        }
    }
    const XyPlot plot = timing_plot(subject(), {});
    EXPECT_NE(std::ranges::find(plot.series, "copy", &PlotSeries::id), plot.series.end());
    EXPECT_NE(std::ranges::find(plot.rules, "peak", &PlotRule::id), plot.rules.end());
    EXPECT_EQ(std::ranges::count(plot.rules, "cards", &PlotRule::id), 2);
}

TEST_F(ShippedTimings, ShowWhatIsSwitchedOnAndLeaveOutWhatIsSwitchedOff) {
    const XyPlot plot = timing_plot(subject(), {.shown = {{"reduce/sequential", false}, {"lecture", true}}});
    EXPECT_FALSE(std::ranges::find(plot.series, "reduce/sequential", &PlotSeries::id)->shown);
    EXPECT_TRUE(std::ranges::find(plot.series, "lecture", &PlotSeries::id)->shown);
    const auto peak = std::ranges::find(plot.rules, "lecture", &PlotRule::id);
    ASSERT_NE(peak, plot.rules.end());
    EXPECT_THAT(peak->name, testing::HasSubstr("145.92: 512/8 x 1.14 GHz x 2"));
}

TEST_F(ShippedTimings, HaveEstimatesBesideThemThatAreNotCrossedOutAndNameABlockOfTheirOwn) {
    timing::Estimates estimates{.points = {{.kernel = "mine.cu",
                                            .element = "int",
                                            .n = 1U << 20U,
                                            .block = 256,
                                            .bytes = 4U << 20U,
                                            .time = {.median = 5},
                                            .check = {}}},
                                .median_error = 0.15,
                                .sentence = {}};
    TimingSubject beside = subject();
    beside.estimates = &estimates;
    const auto series_of = [&] {
        const XyPlot plot = timing_plot(beside, {.block = 256});
        return *std::ranges::find(plot.series, "estimate", &PlotSeries::id);
    };
    ASSERT_EQ(series_of().points.size(), 1U);
    EXPECT_FALSE(series_of().points.front().wrong);
    EXPECT_THAT(series_of().name, testing::Not(testing::HasSubstr("blocks of")));
    estimates.points.front().block = 16;
    EXPECT_THAT(series_of().name, testing::HasSubstr("mine.cu, blocks of 16"));
}

TEST_F(ShippedTimings, ShowTheOverheadOfALaunchAsTheRunOfThePointsMeasuredIt) {
    timing::Recording recording = subject().recording;
    recording.overhead.median = 100;  // of a run that this plot shows nothing of
    for (timing::Point& point : recording.points) point.overhead = point.block == 256 ? 3.5 : 100;
    const TimingSubject joined{.recording = recording, .variants = variants_};
    const XyPlot plot = timing_plot(joined, {.chart = TimingChart::time, .block = 256});
    const auto rule = std::ranges::find(plot.rules, "overhead", &PlotRule::id);
    ASSERT_NE(rule, plot.rules.end());
    EXPECT_EQ(rule->y0, 3.5);
}

TEST_F(ShippedTimings, KeepTheirSignsWhileOthersAreMeasured) {
    timing::Recording few = subject().recording;
    std::erase_if(few.points, [](const timing::Point& point) { return point.kernel == "reduce/interleaved-modulo"; });
    const TimingSubject without{.recording = few, .variants = variants_};
    const XyPlot all = timing_plot(subject(), {}), fewer = timing_plot(without, {});
    const auto one = std::ranges::find(all.series, "reduce/sequential", &PlotSeries::id);
    const auto other = std::ranges::find(fewer.series, "reduce/sequential", &PlotSeries::id);
    EXPECT_EQ(one->role, other->role);
    EXPECT_EQ(one->marker, other->marker);
}

TEST_F(ShippedTimings, CompareAScanWithTheCopyAlone) {
    const auto has = [](const XyPlot& plot, std::string_view id) {
        return std::ranges::find(plot.series, id, &PlotSeries::id) != plot.series.end() ||
               std::ranges::find(plot.rules, id, &PlotRule::id) != plot.rules.end();
    };
    for (const TimingChart chart : {TimingChart::bandwidth, TimingChart::roofline}) {
        const XyPlot scan = timing_plot(subject(), {.chart = chart, .family = "scan"});
        EXPECT_TRUE(has(scan, "copy"));
        EXPECT_FALSE(has(scan, "sweep"));
        EXPECT_TRUE(has(timing_plot(subject(), {.chart = chart}), "sweep"));
    }
}

TEST_F(ShippedTimings, HaveTheRoofThatMemoryGaveAtTheirSize) {
    const auto roof = [&](std::uint64_t n) {
        const XyPlot plot = timing_plot(subject(), {.chart = TimingChart::roofline, .n = n});
        const auto rule = std::ranges::find(plot.rules, "sweep", &PlotRule::id);
        return rule->y0 / rule->x0;
    };
    const auto& sweeps = subject().recording.sweeps;
    for (const std::uint64_t n : {std::uint64_t{1} << 18, std::uint64_t{1} << 26}) {
        const auto sweep = std::ranges::find(sweeps, 4 * n, &timing::Recording::Sweep::bytes);
        ASSERT_NE(sweep, sweeps.end());
        EXPECT_NEAR(roof(n), sweep->bandwidth(), 1e-6 * sweep->bandwidth());
    }
}

TEST(Residency, IsBoundByLittlesLawAndByThePeak) {
    // 2 multiprocessors, 1 warp of 32 loads of 4 bytes: 256 bytes in 100 ns are 2.56 GB/s.
    timing::Recording recording;
    recording.processors = 2;
    recording.peak = 20;
    const auto read = [](unsigned warps, unsigned in_flight, double gigabytes) {
        constexpr std::uint64_t bytes = 1 << 20;
        return timing::Recording::ResidentRead{.warps = warps,
                                               .in_flight = in_flight,
                                               .load_bytes = 4,
                                               .bytes = bytes,
                                               .time = timing::spread_of({bytes / gigabytes / 1e3})};
    };
    recording.resident_reads = {read(4, 4, 15), read(1, 4, 9), read(4, 1, 9.5), read(1, 1, 2.56)};
    const std::vector<timing::Variant> none;
    const XyPlot plot =
        timing_plot({.recording = {}, .variants = none, .resident = &recording}, {.chart = TimingChart::residency});
    ASSERT_EQ(plot.series.size(), 2U);
    EXPECT_EQ(plot.series[0].name, "1 load of 4 bytes");
    EXPECT_EQ(plot.series[1].name, "4 loads of 4 bytes");
    ASSERT_EQ(plot.series[0].points.size(), 2U);
    EXPECT_EQ(plot.series[0].points[0].x, 1);
    EXPECT_NEAR(plot.series[0].points[0].y, 2.56, 1e-9);
    ASSERT_EQ(plot.rules.size(), 2U);
    EXPECT_EQ(plot.rules[0].name, "bytes in flight / 100 ns");
    EXPECT_NEAR(plot.rules[0].y1 / plot.rules[0].x1, 2.56, 1e-9) << "through the point with the fewest bytes in flight";
    EXPECT_EQ(plot.rules[1].y0, 20);

    const XyPlot lacking = timing_plot({.recording = {}, .variants = none}, {.chart = TimingChart::residency});
    EXPECT_THAT(lacking.lacks, testing::HasSubstr("lanescope time --residency"));
}

TEST_F(ShippedTimings, CompareDoublesWithCeilingsOfAsManyBytes) {
    timing::Recording doubles = subject().recording;
    for (timing::Point& point : doubles.points) point.element = "double", point.n /= 2;
    const TimingSubject subject_of_doubles{.recording = doubles, .variants = variants_};
    constexpr std::uint64_t n = std::uint64_t{1} << 21U;
    const auto sweep = std::ranges::find(doubles.sweeps, 8 * n, &timing::Recording::Sweep::bytes);
    ASSERT_NE(sweep, doubles.sweeps.end());
    const double bandwidth = sweep->bandwidth();

    const XyPlot roofs = timing_plot(subject_of_doubles, {.chart = TimingChart::roofline, .n = n});
    const auto rule = std::ranges::find(roofs.rules, "sweep", &PlotRule::id);
    ASSERT_NE(rule, roofs.rules.end());
    EXPECT_NEAR(rule->y0 / rule->x0, bandwidth, 1e-6 * bandwidth);

    const XyPlot over_n = timing_plot(subject_of_doubles, {.chart = TimingChart::bandwidth, .block = 256});
    const auto ceiling = std::ranges::find(over_n.series, "sweep", &PlotSeries::id);
    ASSERT_NE(ceiling, over_n.series.end());
    const auto at_n = std::ranges::find(ceiling->points, static_cast<double>(n), &PlotPoint::x);
    ASSERT_NE(at_n, ceiling->points.end());
    EXPECT_DOUBLE_EQ(at_n->y, bandwidth);
}

TEST_F(ShippedTimings, CrossOutWhatGaveAWrongResult) {
    timing::Recording recording = subject().recording;
    for (timing::Point& point : recording.points) point.agrees = point.kernel != "reduce/sequential";
    const XyPlot plot = timing_plot({.recording = recording, .variants = variants_}, {});
    for (const PlotSeries& series : plot.series)
        for (const PlotPoint& point : series.points) EXPECT_EQ(point.wrong, series.id == "reduce/sequential");
}

TEST_F(ShippedTimings, SayWhereNothingWasMeasured) {
    EXPECT_FALSE(timing_plot(subject(), {.family = "missing"}).lacks.empty());
}

}  // namespace
}  // namespace lanescope::scene
