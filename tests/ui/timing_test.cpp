// The Timing panel: recordings in its plots, a bar or a point opens its kernel, and a measurement is followed as it
// runs.
#include "ui/panels/timing.h"

#include "places.h"
#include "ui/window_test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <unistd.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ranges>
#include <thread>
#include <utility>

namespace lanescope::ui {
namespace {

using scene::TimingChart;
using testing::HasSubstr;

class TimingWindow : public WindowTest {
  protected:
    /// Selects the recording that a window begins with, whatever earlier tests have opened.
    void SetUp() override {
        WindowTest::SetUp();
        if (IsSkipped() || HasFatalFailure()) return;
        const auto largest = timing().timings().library().largest();
        ASSERT_TRUE(largest);
        timing().timings().choose(*largest);
    }
    static TimingPanel& timing() { return dynamic_cast<TimingPanel&>(panel("Timing")); }
    void show(TimingChart chart) {
        resize(1280, 720);
        shell().arrange(Arrangement::compare);
        frames(4);
        shell().bring_up("Timing");
        timing().show(chart);
        frames(3);
    }
    static std::size_t point_of(std::string_view kernel) {
        const auto& points = timing().timings().recording().points;
        return static_cast<std::size_t>(std::ranges::find(points, kernel, &timing::Point::kernel) - points.begin());
    }
    /// A program that writes what `lanescope time --stream` would write, then runs `then`.
    static ChildProcess::Command fake(const std::vector<timing::Event>& events, const std::string& then) {
        const std::filesystem::path lines =
            std::filesystem::path(testing::TempDir()) /
            fmt::format("stream-{}.jsonl", getpid());  // other test processes run at the same time
        std::ofstream file(lines);
        for (const timing::Event& event : events) file << timing::to_line(event) << '\n';
        return {.program = "/bin/sh", .arguments = {"-c", fmt::format("cat '{}'; {}", lines.string(), then)}};
    }
};

timing::Recording header() {
    return {{.device = "Fake GPU",
             .driver = "1.2",
             .toolkit = "NVRTC 13.0",
             .date = "2026-01-02",
             .command = "lanescope time"}};
}

timing::Point measured(const char* kernel, std::uint64_t n, double microseconds) {
    return {.kernel = kernel,
            .element = "int",
            .n = n,
            .block = 256,
            .grid = n / 256,
            .bytes = 4 * n,
            .time = timing::spread_of({microseconds, microseconds * 1.1, microseconds * 0.9})};
}

TEST_F(TimingWindow, EveryChartShowsTheRecordingsThatShip) {
    for (const TimingChart chart : scene::timing_charts) {
        SCOPED_TRACE(scene::name_of(chart));
        show(chart);
        EXPECT_EQ(timing().view().chart, chart);
        ASSERT_NE(timing().drawn(), nullptr);
        EXPECT_THAT(timing().drawn()->description, HasSubstr("NVIDIA"));
        keep_picture(fmt::format("timing-{}", scene::name_of(chart)));
        frames(1);
    }
    EXPECT_THAT(timing().csv(workspace()), HasSubstr("reduce/sequential"));
}

TEST_F(TimingWindow, TheKernelInTheWindowStandsOut) {
    show(TimingChart::bandwidth);
    run("reduce/sequential", "64");
    frames(3);
    EXPECT_EQ(timing().view().current, "reduce/sequential");
    const auto series = std::ranges::find(timing().plot().series, "reduce/sequential", &scene::PlotSeries::id);
    ASSERT_NE(series, timing().plot().series.end());
    EXPECT_TRUE(series->highlight);
}

TEST_F(TimingWindow, APointOpensItsKernelWhereItLosesItsTimeAndSaysWhatItsNeighborDoes) {
    show(TimingChart::bandwidth);
    timing().select(workspace(), point_of("reduce/strided-index"));
    settle();
    frames(3);
    ASSERT_NE(workspace().shown(), nullptr);
    EXPECT_EQ(workspace().shown()->run->program.name, "reduce/strided-index");
    until([] { return workspace().time_shares().known() != nullptr; });
    frames(2);
    const auto shares = workspace().time_shares().of_passes(*workspace().shown());
    ASSERT_LT(workspace().pass(), shares.size());
    EXPECT_EQ(shares[workspace().pass()], *std::ranges::max_element(shares)) << "at its most expensive pass";
    EXPECT_EQ(timing().selected(), point_of("reduce/strided-index"));
    EXPECT_EQ(workspace().form().shown(Field::view), "compiled") << "what was timed";
    keep_picture("timing-selected");
    frames(1);
    const std::string before = workspace().form().ran()[Field::program];
    workspace().undo();
    settle();
    EXPECT_NE(workspace().shown()->run->program.name, before) << "the click is one undo";
    EXPECT_EQ(workspace().form().shown(Field::view), "written");
}

TEST_F(TimingWindow, ARunIsUnderWayUntilItsAnswerIsShown) {
    show(TimingChart::bandwidth);
    timing().select(workspace(), point_of("reduce/strided-index"));
    while (!workspace().has_answer()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(workspace().busy()) << "else a panel would take the previous run for the one that it awaits";
    workspace().poll();
    EXPECT_FALSE(workspace().busy());
    ASSERT_NE(workspace().shown(), nullptr);
    EXPECT_EQ(workspace().shown()->run->program.name, "reduce/strided-index");
}

TEST_F(TimingWindow, APointOfAnotherTypeOpensTheTemplateOfThatType) {
    show(TimingChart::bandwidth);
    const auto& points = timing().timings().recording().points;
    const auto point = std::ranges::find_if(points, [](const timing::Point& each) {
        return each.kernel == "reduce/one-launch" && each.element == "float" && each.block == 256;
    });
    ASSERT_NE(point, points.end());
    timing().select(workspace(), static_cast<std::size_t>(point - points.begin()));
    settle();
    frames(3);
    ASSERT_NE(workspace().shown(), nullptr);
    const session::Program& program = workspace().shown()->run->program;
    EXPECT_EQ(program.name, "reduce/one-launch");
    EXPECT_THAT(program.recipe.template_arguments, testing::Contains("float"));
}

TEST_F(TimingWindow, ARowOfLimitOpensItsKernel) {
    show(TimingChart::limit);
    const auto row = timing().picture().on_screen(scene::TraceRef::Kind::row, 2);
    ASSERT_TRUE(row);
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*row);
        person.MouseClick();
    });
    settle();
    frames(3);
    ASSERT_NE(workspace().shown(), nullptr);
    ASSERT_TRUE(timing().selected());
    EXPECT_EQ(workspace().shown()->run->program.name,
              timing().timings().recording().points[*timing().selected()].kernel);
}

TEST_F(TimingWindow, APointIsPinnedAndLetGo) {
    show(TimingChart::bandwidth);
    timing().pin(3);
    frames(2);
    ASSERT_EQ(timing().pins().size(), 1U);
    EXPECT_THAT(timing().pins()[0].text, HasSubstr("GB/s"));
    timing().pin(3);
    EXPECT_TRUE(timing().pins().empty());
}

TEST_F(TimingWindow, AChartKeepsItsOwnAxesAloneAndBackAmongTheOthers) {
    show(TimingChart::time);
    const auto all_in_sight = [] {
        const scene::XyPlot seen = timing().seen(), &plot = timing().plot();
        EXPECT_NEAR(std::log(seen.y.low / plot.y.low), 0, 1e-6);
        EXPECT_NEAR(std::log(seen.y.high / plot.y.high), 0, 1e-6);
        EXPECT_NEAR(std::log(seen.x.high / plot.x.high), 0, 1e-6);
    };
    all_in_sight();
    act([](ImGuiTestContext& person) {
        person.MouseSetViewport(ImGui::FindWindowByName("Timing"));
        person.MouseMoveToPos(ImGui::FindWindowByName("Timing")->Rect().GetCenter());
        person.KeyPress(ImGuiKey_F);
    });
    ASSERT_EQ(shell().alone(), &timing());
    frames(3);
    all_in_sight();
    timing().show(TimingChart::roofline);
    frames(3);
    all_in_sight();
    key(ImGuiKey_Escape);
    ASSERT_EQ(shell().alone(), nullptr);
    frames(3);
    all_in_sight();
    timing().show(TimingChart::bandwidth);
    frames(3);
    all_in_sight();
}

TEST_F(TimingWindow, AxesAreDraggedZoomedAndFitted) {
    show(TimingChart::bandwidth);
    const scene::XyPlot before = timing().seen();
    const auto frame = [] { return timing().picture().on_screen(scene::TraceRef::Kind::plot); };
    const auto moved = [&](const scene::PlotAxis& axis, const scene::PlotAxis& was) {
        return std::abs(std::log(axis.low / was.low)) > 1e-3;
    };
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*frame());
        person.MouseWheelY(2);
    });
    frames(2);
    EXPECT_LT(timing().seen().x.high / timing().seen().x.low, before.x.high / before.x.low) << "zoomed in";
    EXPECT_TRUE(moved(timing().seen().y, before.y));
    const scene::XyPlot zoomed = timing().seen();
    act([&](ImGuiTestContext& person) {
        const ImVec2 beside = *timing().picture().on_screen(scene::TraceRef::Kind::plot, 0, 1);
        person.MouseMoveToPos(beside);
        person.MouseDown(ImGuiMouseButton_Left);
        person.MouseMoveToPos({beside.x + 40, beside.y + 3});
        person.MouseUp(ImGuiMouseButton_Left);
    });
    frames(2);
    EXPECT_TRUE(moved(timing().seen().x, zoomed.x));
    EXPECT_EQ(timing().seen().y.low, zoomed.y.low) << "beside an axis, that axis alone";
    act([&](ImGuiTestContext& person) {
        // Where no point is near.
        const auto axes = scene::box_of(timing().picture().scene(), scene::TraceRef::Kind::plot);
        person.MouseMoveToPos(timing().picture().on_screen(axes->x + 4, axes->y + 4));
        float& longest = ImGui::GetIO().MouseDoubleClickTime;
        const float usual = std::exchange(longest, 60.0F);
        person.MouseDoubleClick(ImGuiMouseButton_Left);
        longest = usual;
    });
    frames(2);
    EXPECT_EQ(timing().seen().x.low, timing().plot().x.low);
    EXPECT_EQ(timing().seen().y.high, timing().plot().y.high);
}

TEST_F(TimingWindow, AClickOnTheLegendHidesASeriesAndOneOnAPointOpensIt) {
    show(TimingChart::bandwidth);
    shell().maximize("Timing");  // a small panel has no legend
    frames(4);
    ASSERT_FALSE(timing().is_brief());
    const auto click = [this](const std::optional<ImVec2>& at) {
        ASSERT_TRUE(at);
        act([&](ImGuiTestContext& person) {
            person.MouseMoveToPos(*at);
            person.MouseClick(ImGuiMouseButton_Left);
        });
        frames(2);
    };
    const auto number_of = [](std::string_view id) {
        const auto& all = timing().plot().series;
        return static_cast<std::uint32_t>(std::ranges::find(all, id, &scene::PlotSeries::id) - all.begin());
    };
    using RefKind = scene::TraceRef::Kind;
    const std::uint32_t copy = number_of("copy");
    ASSERT_TRUE(timing().plot().series[copy].shown);
    click(timing().picture().on_screen(RefKind::series, copy));
    EXPECT_FALSE(timing().plot().series[copy].shown);
    click(timing().picture().on_screen(RefKind::series, copy));
    EXPECT_TRUE(timing().plot().series[copy].shown);
    const std::uint32_t own = number_of("reduce/sequential");
    click(timing().picture().on_screen(RefKind::point, own, 0));
    ASSERT_TRUE(timing().selected());
    settle();
    frames(2);
    const std::size_t point = *timing().selected();
    EXPECT_EQ(workspace().shown()->run->program.name, timing().timings().recording().points[point].kernel);
    EXPECT_EQ(workspace().shown()->trace().origin.view, trace::View::compiled);
    // The kernel, the view and the sizes of the click are one change.
    key(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(workspace().shown()->run->program.name, "reduce/interleaved-modulo");
    EXPECT_EQ(workspace().shown()->run->block, 16U);
    EXPECT_EQ(workspace().shown()->trace().origin.view, trace::View::written);
    EXPECT_FALSE(workspace().form().can_undo());
    shell().maximize({});
}

TEST_F(TimingWindow, InASmallPanelFewLinesStandEachNamedAtItsEndAndAClickExplainsTheDifference) {
    resize(1920, 1080);
    shell().arrange(Arrangement::study);
    frames(6);
    run("reduce/sequential", "256");
    shell().bring_up("Timing");
    timing().show(TimingChart::bandwidth);
    frames(4);
    ASSERT_TRUE(timing().is_brief());
    std::vector<scene::Role> roles;
    std::uint32_t own = 0;
    using Kind = scene::TraceRef::Kind;
    for (std::uint32_t row = 0; row < timing().plot().series.size(); ++row) {
        const scene::PlotSeries& series = timing().plot().series[row];
        EXPECT_EQ(timing().picture().on_screen(Kind::series, row).has_value(), series.shown) << series.name;
        if (!series.shown) continue;
        EXPECT_EQ(std::ranges::count(roles, series.role), 0) << series.name;
        roles.push_back(series.role);
        if (series.highlight) own = row;
    }
    // A test before this one may have switched on a line.
    EXPECT_LE(std::ssize(roles), 5 + std::ranges::count(timing().view().shown | std::views::values, true));
    EXPECT_TRUE(timing().plot().series[own].highlight);
    EXPECT_GT(timing().plot().x.low, 1U << 16U);
    keep_picture("timing-docked");
    frames(1);
    EXPECT_GT(timing().whole_picture(workspace()).description.size(), timing().drawn()->description.size())
        << "the saved picture has all lines";

    const auto last = static_cast<std::uint32_t>(timing().plot().series[own].points.size() - 1);
    const auto at = timing().picture().on_screen(Kind::point, own, last);
    ASSERT_TRUE(at);
    act([&](ImGuiTestContext& person) {
        person.MouseMoveToPos(*at);
        person.MouseClick(ImGuiMouseButton_Left);
    });
    settle();
    frames(3);
    EXPECT_TRUE(timing().explains());
    keep_picture("timing-docked-difference");
    frames(1);
    act([](ImGuiTestContext& person) { person.ItemClick("Timing/**/##chart"); });
    EXPECT_FALSE(timing().explains());
}

TEST_F(TimingWindow, ThePictureOfItHasItsPinsAndWhatIsSelected) {
    show(TimingChart::bandwidth);
    const auto& all = timing().plot().series;
    const auto series = std::ranges::find(all, "reduce/sequential", &scene::PlotSeries::id);
    ASSERT_NE(series, all.end());
    const std::size_t point = series->points.back().source;
    const auto rings = [] {
        const scene::Scene picture = timing().whole_picture(workspace());
        return std::ranges::count_if(picture.shapes, [](const scene::Shape& shape) {
            const auto* circle = std::get_if<scene::Circle>(&shape);
            return circle != nullptr && circle->stroke.role == scene::Role::selected && circle->radius > 7;
        });
    };
    EXPECT_EQ(rings(), 0);
    timing().pin(point);
    timing().select(workspace(), point);
    settle();
    frames(3);
    EXPECT_THAT(timing().whole_picture(workspace()).description, HasSubstr(timing().pins()[0].text));
    EXPECT_EQ(rings(), 1);
    timing().pin(point);
}

TEST_F(TimingWindow, ItsNumbersAreSavedWhereItsPicturesAre) {
    show(TimingChart::bandwidth);
    namespace fs = std::filesystem;
    const fs::path before = fs::current_path(), folder = fs::path(testing::TempDir()) / "timing-csv";
    fs::remove_all(folder);
    fs::create_directories(folder);
    fs::current_path(folder);
    act([](ImGuiTestContext& person) {
        const ImGuiWindow* window = ImGui::FindWindowByName("Timing");
        person.MouseMoveToPos({window->Pos.x + 60, window->Pos.y + window->Size.y - 20});
        person.MouseClick(ImGuiMouseButton_Right);
        person.Yield(2);
        person.SetRef("//$FOCUSED");
        person.ItemClick("Save as CSV");
    });
    fs::current_path(before);
    std::ifstream in(folder / "lanescope-timing.csv");
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(text, testing::StartsWith("device,driver,"));
    EXPECT_THAT(text, HasSubstr("reduce/sequential"));
}

TEST_F(TimingWindow, ARecordingDroppedOnTheWindowIsShown) {
    show(TimingChart::bandwidth);
    timing::Recording recording = header();
    recording.device = "Dropped GPU";
    recording.points = {measured("reduce/sequential", 1U << 20U, 10), measured("reduce/sequential", 1U << 22U, 30)};
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "dropped.json";
    std::ofstream(file) << timing::to_json(recording);
    const std::string path = file.string();
    shell().drop({&path, 1});
    frames(3);
    EXPECT_EQ(timing().timings().recording().device, "Dropped GPU");
    std::ofstream(file) << "no recording";
    shell().drop({&path, 1});
    frames(2);
    EXPECT_EQ(timing().timings().recording().device, "Dropped GPU") << "the previous recording stays";
}

TEST_F(TimingWindow, AMeasurementIsFollowedPointByPoint) {
    show(TimingChart::bandwidth);
    Timings& timings = timing().timings();
    timing().select(workspace(), point_of("reduce/strided-index"));
    timing().pin(point_of("reduce/strided-index"));
    settle();
    frames(2);
    ASSERT_TRUE(
        timings.follow(fake({timing::Started{header()}, measured("reduce/sequential", 1U << 20U, 10),
                             timing::Advance{.done = 1, .of = 3, .what = "reduce/sequential", .seconds_left = 12}},
                            "sleep 1000")));
    until([&] { return timings.advance().done == 1; });
    EXPECT_TRUE(timings.measuring());
    EXPECT_EQ(timings.recording().device, "Fake GPU") << "it is shown while it grows";
    ASSERT_EQ(timings.recording().points.size(), 1U);
    frames(1);
    EXPECT_FALSE(timing().selected()) << "that was a point of another recording";
    EXPECT_TRUE(timing().pins().empty());
    EXPECT_GT(timing().seconds_until_redraw(), 0) << "the window looks for more by itself";
    frames(2);
    keep_picture("timing-live");
    frames(1);
    timings.cancel();
    until([&] { return !timings.measuring(); });
    EXPECT_FALSE(timings.problem()) << "a cancelled measurement is no failure";
    EXPECT_EQ(timings.recording().points.size(), 1U) << "what was measured stays";
    EXPECT_EQ(timing().seconds_until_redraw(), 0);
}

TEST_F(TimingWindow, WithoutAGpuAPlainSentenceStandsThereAndRecordingsPlay) {
    show(TimingChart::bandwidth);
    Timings& timings = timing().timings();
    const std::string before = timings.recording().device;
    ASSERT_TRUE(timings.follow(
        fake({Problem{.what = "this machine has no NVIDIA driver", .where = {}, .remedy = "Install one."}}, "exit 2")));
    until([&] { return !timings.measuring(); });
    ASSERT_TRUE(timings.problem());
    EXPECT_THAT(timings.problem()->message(), HasSubstr("no NVIDIA driver"));
    EXPECT_EQ(timings.recording().device, before);
    frames(2);
    keep_picture("timing-no-gpu");
    frames(1);
    timings.forget_problem();
}

/// `lanescope time` itself, on a simulated driver (tests/fake/cuda_driver.cpp).
TEST_F(TimingWindow, WhateverAGpuFailsInIsSaidAndTheEmulatorCarriesOn) {
    show(TimingChart::bandwidth);
    setenv("LANESCOPE_DRIVER", LANESCOPE_FAKE_DRIVER, 1);
    const std::array<std::pair<const char*, const char*>, 6> failures{{{"none", "finds no GPU"},
                                                                       {"old", "580 or later"},
                                                                       {"ancient", "this GPU has 5.0"},
                                                                       {"reject", "the PTX is newer than the driver"},
                                                                       {"fault", "illegal address"},
                                                                       {"lost", "the GPU is lost"}}};
    for (const auto& [wrong, sentence] : failures) {
        SCOPED_TRACE(wrong);
        setenv("FAKE_CUDA", wrong, 1);
        Timings& timings = timing().timings();
        ASSERT_TRUE(timings.follow({.program = LANESCOPE_BINARY,
                                    .arguments = {"time", "reduce/sequential", "--n", "1024", "--block", "64",
                                                  "--input", "0", "--samples", "5", "--stream"}}));
        while (timings.measuring()) {
            frames(1);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));  // a process of its own measures
        }
        ASSERT_TRUE(timings.problem());
        EXPECT_THAT(timings.problem()->message(), HasSubstr(sentence));
        timings.forget_problem();
    }
    unsetenv("FAKE_CUDA");
    unsetenv("LANESCOPE_DRIVER");
    run("reduce/sequential", "64");
    EXPECT_NE(workspace().shown(), nullptr);
}

TEST_F(TimingWindow, AMeasurementThatBreaksOffSaysHow) {
    show(TimingChart::bandwidth);
    Timings& timings = timing().timings();
    ASSERT_TRUE(timings.follow({.program = "/bin/sh", .arguments = {"-c", "kill -SEGV $$"}}));
    until([&] { return !timings.measuring(); });
    ASSERT_TRUE(timings.problem());
    EXPECT_THAT(timings.problem()->message(), HasSubstr("signal 11"));
    timings.forget_problem();
    ASSERT_TRUE(timings.follow({.program = "/bin/sh", .arguments = {"-c", "echo nonsense"}}));
    until([&] { return !timings.measuring(); });
    EXPECT_TRUE(timings.problem());
    timings.forget_problem();
    EXPECT_FALSE(timings.follow({.program = "/nowhere/lanescope", .arguments = {}}));
}

}  // namespace
}  // namespace lanescope::ui
