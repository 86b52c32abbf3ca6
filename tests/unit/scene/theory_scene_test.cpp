// The Theory picture: all text is legible at any width, points lie on or under the curve, and unknown values are
// explained in their place.
#include "scene/theory_scene.h"

#include "scene/theory_tables.h"
#include "unit/scene/legibility.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace lanescope::scene {
namespace {

using analysis::TheoryPicture;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A reduction of 1,048,576 elements in 1,024 blocks, of which so many are recorded.
TheoryPicture picture_of(std::uint64_t recorded) {
    TheoryPicture picture;
    picture.n = 1'048'576;
    picture.work = 1'048'575;
    picture.span = 20;
    picture.arrays = {"input_with_a_long_name", "out"};
    picture.launches = {{.blocks = 1024,
                         .recorded_blocks = recorded,
                         .threads = 1'048'576,
                         .threads_of_block = 1024,
                         .shared_bytes = 4096,
                         .steps = 20,
                         .elements = {{.buffer = 0, .read = 1'048'576}, {.buffer = 1, .written = 1024}},
                         .sectors_read = 131'072,
                         .sectors_written = 1024}};
    if (recorded < 1024) picture.scope = {fmt::format("{} of 1,024 blocks recorded.", recorded)};
    for (std::uint64_t p = 1; p <= picture.n; p *= 2)
        picture.schedule.push_back({.name = {}, .processors = p, .steps = (picture.work + p - 1) / p + 19});
    picture.processors = {{.name = "N", .processors = picture.n, .steps = 20},
                          {.name = "N / log2 N", .processors = 52'429, .steps = 39},
                          {.name = "log2 N", .processors = 20, .steps = 52'439},
                          {.name = "1", .processors = 1, .steps = picture.work}};
    picture.forms = {{.name = "work", .expression = "n - 1", .value = 1'048'575, .measured = 1'048'575},
                     {.name = "span", .expression = "19", .value = 19, .measured = 20}};
    for (std::uint64_t n = 2; n <= 16'384; n *= 2)
        picture.work_by_size.push_back({.n = n, .block = 2, .grid = n / 2, .work = n - 1, .span = 1, .form = n - 1});
    picture.work_note = "In blocks of 2 threads.";
    for (const model::GpuModel& gpu : model::gpu_models()) {
        picture.occupancy.push_back({gpu, model::occupancy(model::limits_of(gpu.capability), {1024, 1, 1}, 4096)});
    }
    picture.times = {{.device = "NVIDIA H200, driver 580.95.05, NVRTC 13.0, 2026-11-21",
                      .elements = 4'194'304,
                      .element_bytes = 4,
                      .bytes = 16'777'216,
                      .microseconds = 8054}};
    return picture;
}

/// The flaws of the text; points of a plot may overlap each other and its curves.
std::vector<std::string> illegible_words(const Scene& scene) {
    std::vector<std::string> found = illegible(scene);
    std::erase_if(found, [](const std::string& what) { return what.starts_with("the circles"); });
    return found;
}

TEST(TheoryScene, CanBeReadAtEveryWidth) {
    for (const float width : {400.0F, 480.0F, 640.0F, 860.0F, 900.0F, 1280.0F, 1800.0F}) {
        for (const std::uint64_t recorded : {1024U, 16U}) {
            const Scene scene = theory_scene(picture_of(recorded), {.width = width, .measuring = {}});
            EXPECT_THAT(illegible_words(scene), IsEmpty()) << width;
            EXPECT_EQ(scene.width, width);
        }
    }
}

TEST(TheoryScene, HasTheGreedyScheduleBetweenTheBounds) {
    const XyPlot plot = brent_plot(picture_of(1024));
    ASSERT_EQ(plot.series.size(), 3U);
    const std::vector<PlotPoint>&bound = plot.series[0].points, &greedy = plot.series[1].points,
          &least = plot.series[2].points;
    ASSERT_EQ(greedy.size(), 21U);
    for (std::size_t i = 0; i < greedy.size(); ++i) {
        // Eight samples of the curves for each doubling.
        EXPECT_EQ(bound[8 * i].x, greedy[i].x);
        EXPECT_LE(least[8 * i].y, greedy[i].y);
    }
    EXPECT_EQ(bound.front().y, 1'048'575);
    EXPECT_NEAR(bound.back().y, 21, 0.001);
}

TEST(TheoryScene, RefersToThePointsOfBothPlots) {
    const Scene scene = theory_scene(picture_of(1024), {.width = 900, .measuring = {}});
    const auto greedy = box_of(scene, TraceRef::Kind::point, 1, 3);
    const auto measured = box_of(scene, TraceRef::Kind::point, first_work_series, 3);
    ASSERT_TRUE(greedy);
    ASSERT_TRUE(measured);
    EXPECT_LT(greedy->x, 450) << "in the left column";
    EXPECT_GT(measured->x, 450);
}

TEST(TheoryTables, SayWhatAgreesWithTheClosedForms) {
    const TheoryTable table = work_table(picture_of(1024));
    ASSERT_EQ(table.rows.size(), 2U);
    EXPECT_THAT(table.rows[0].cells, ElementsAre("work W", "1,048,575", "n - 1 = 1,048,575"));
    EXPECT_EQ(table.rows[0].agrees, true);
    EXPECT_THAT(table.rows[1].cells, ElementsAre("span t, the longest chain", "20", "19"));
    EXPECT_EQ(table.rows[1].agrees, false);
}

TEST(TheoryTables, HaveNoCostOfAPart) {
    EXPECT_THAT(cost_table(picture_of(1024)).rows[0].cells,
                ElementsAre("the launch", "1,048,576", "20", "20,971,520", "20"));
    EXPECT_THAT(cost_table(picture_of(16)).rows[0].cells,
                ElementsAre("16 of 1,024 blocks", "1,048,576", "20", "not known", "-"));
    EXPECT_THAT(elements_table(picture_of(16)).rows[0].cells[0], HasSubstr("16 of 1,024 blocks"));
}

TEST(TheoryTables, OfSeveralLaunchesAddUp) {
    TheoryPicture picture = picture_of(1024);
    picture.launches.push_back(picture.launches.front());
    picture.launches.back().threads = 1024;
    picture.launches.back().steps = 10;
    const TheoryTable table = cost_table(picture);
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_THAT(table.rows[2].cells, ElementsAre("total", "", "30", "20,981,760", "20.01"));
}

TEST(TheoryTables, HaveTheLecturesArithmetic) {
    EXPECT_THAT(elements_table(picture_of(1024)).notes, Contains(HasSubstr("2²² x 4 bytes / 8.054 ms = 2.083 GB/s")));
    TheoryPicture untimed = picture_of(1024);
    untimed.times.clear();
    EXPECT_THAT(elements_table(untimed).notes, Contains(HasSubstr("No recording")));
}

TEST(TheoryTables, SayWhatLimitsTheOccupancy) {
    const TheoryTable table = occupancy_table(picture_of(1024));
    ASSERT_EQ(table.rows.size(), 3U);
    EXPECT_THAT(table.rows[0].cells,
                ElementsAre("G80", "none", "0 of 24", "0 %", "-", "A block has 1 to 512 threads."));
    EXPECT_THAT(table.rows[1].cells, ElementsAre("H200", "2", "64 of 64", "100 %", "264", "warps"));
    EXPECT_THAT(table.notes, Contains(HasSubstr("Registers are not known")));
}

TEST(TheoryScene, OfNoOperationSaysSo) {
    TheoryPicture picture = picture_of(1024);
    picture.work = picture.span = picture.launches[0].steps = 0;
    picture.schedule.clear();
    picture.processors.clear();
    picture.forms.clear();
    picture.work_by_size.clear();
    const Scene scene = theory_scene(picture, {.width = 640, .measuring = {}});
    EXPECT_THAT(illegible_words(scene), IsEmpty());
    EXPECT_THAT(texts_of(scene), Contains("No operation reaches an output: there is nothing to schedule."));
    EXPECT_THAT(texts_of(scene), Contains("Not measured."));
    EXPECT_THAT(texts_of(scene), Not(Contains(HasSubstr("nan"))));
    const Scene narrow = theory_scene(picture, {.width = 300, .measuring = {}});
    EXPECT_THAT(texts_of(narrow), Contains(HasSubstr("to schedule."))) << "the line is broken, not cut";
    picture.work_by_size = {{.n = 16, .block = 16, .grid = 1, .work = 0, .span = 0, .form = {}}};
    EXPECT_EQ(work_plot(picture, {}).lacks, "W is 0 at every size that was measured.");
    EXPECT_EQ(work_plot(picture_of(1024), {}).lacks, "");
}

}  // namespace
}  // namespace lanescope::scene
