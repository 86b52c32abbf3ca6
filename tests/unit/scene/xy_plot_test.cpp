// Plots over two logarithmic axes: where numbers stand, and what is in sight.
#include "scene/xy_plot.h"

#include "scene/timing_plots.h"
#include "timing/shelf.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace lanescope::scene {
namespace {

using testing::ElementsAre;

std::vector<std::string> texts(const PlotAxis& axis, double low, double high, unsigned most) {
    std::vector<std::string> found;
    for (const auto& [value, text] : axis.ticks(low, high, most)) found.push_back(text);
    return found;
}

TEST(PlotAxis, has_numbers_at_round_places_and_never_too_many) {
    const PlotAxis decimal;
    EXPECT_THAT(texts(decimal, 90, 1100, 8), ElementsAre("100", "200", "500", "1000"));
    EXPECT_THAT(texts(decimal, 1, 10000, 6), ElementsAre("1", "10", "100", "1000", "10000"));
    const PlotAxis powers{.kind = PlotAxis::Kind::powers_of_two};
    EXPECT_THAT(texts(powers, 1000, 1 << 24, 9),
                ElementsAre("2^10", "2^12", "2^14", "2^16", "2^18", "2^20", "2^22", "2^24"));
    EXPECT_THAT(texts(powers, 30, 1030, 9), ElementsAre("32", "64", "128", "256", "512", "1024"));
    for (const unsigned most : {2U, 5U, 9U}) EXPECT_LE(texts(decimal, 1e-3, 1e6, most).size(), std::max(most, 5U));
}

TEST(XyPlot, is_fitted_to_what_is_shown) {
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

class ShippedTimings : public testing::Test {
  protected:
    ShippedTimings() {
        variants_ = {{"reduce/sequential", "Reduction 3: sequential"},
                     {"reduce/grid-stride", "Reduction 7: multiple adds a thread (grid-stride)"},
                     {"reduce/atomic", "Reduction: blocks joined by atomicAdd"}};
    }
    [[nodiscard]] TimingSubject subject() const {
        const auto lecture = std::ranges::find_if(shelf_.all(), &timing::Shelved::quoted);
        return {
            .recording = shelf_[*shelf_.largest()].recording, .lecture = &lecture->recording, .variants = variants_};
    }
    timing::Shelf shelf_ = timing::shipped_recordings();
    std::vector<Variant> variants_;
};

TEST_F(ShippedTimings, name_kernels_shortly) {
    EXPECT_EQ(short_name(subject(), "reduce/sequential"), "3 sequential");
    EXPECT_EQ(short_name(subject(), "reduce/grid-stride"), "7 multiple adds a thread");
    EXPECT_EQ(short_name(subject(), "reduce/atomic"), "blocks joined by atomicAdd");
    EXPECT_EQ(short_name(subject(), "mine.cu"), "mine.cu");
}

TEST_F(ShippedTimings, stand_in_every_plot_with_the_windows_kernel_apart_and_ceilings_above) {
    for (const TimingChart chart :
         {TimingChart::bandwidth, TimingChart::time, TimingChart::block, TimingChart::per_thread}) {
        const XyPlot plot = timing_plot(subject(), {.chart = chart, .current = "reduce/sequential"});
        EXPECT_TRUE(plot.lacks.empty()) << name_of(chart);
        const auto own = std::ranges::find(plot.series, "reduce/sequential", &PlotSeries::id);
        ASSERT_NE(own, plot.series.end()) << name_of(chart);
        EXPECT_TRUE(own->current && own->shown);
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

TEST_F(ShippedTimings, show_what_is_switched_on_and_leave_out_what_is_switched_off) {
    const XyPlot plot = timing_plot(subject(), {.shown = {{"reduce/sequential", false}, {"lecture", true}}});
    EXPECT_FALSE(std::ranges::find(plot.series, "reduce/sequential", &PlotSeries::id)->shown);
    EXPECT_TRUE(std::ranges::find(plot.series, "lecture", &PlotSeries::id)->shown);
    const auto peak = std::ranges::find(plot.rules, "lecture", &PlotRule::id);
    ASSERT_NE(peak, plot.rules.end());
    EXPECT_THAT(peak->name, testing::HasSubstr("145.92: 512/8 x 1.14 GHz x 2"));
}

TEST_F(ShippedTimings, say_where_nothing_was_measured) {
    EXPECT_FALSE(timing_plot(subject(), {.family = "nobody's"}).lacks.empty());
}

}  // namespace
}  // namespace lanescope::scene
