// *Measure on this GPU* in the Grid panel: a timeline of the launch on screen, recorded by a process beside the window.
#include "ui/timeline_recorder.h"

#include "base/files.h"
#include "places.h"
#include "timing/timeline.h"
#include "ui/window_test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

namespace lanescope::ui {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class TimelineRecorderWindow : public WindowTest {
  protected:
    void SetUp() override {
        WindowTest::SetUp();
        if (IsSkipped()) return;
        resize(1920, 1080);
        run("reduce/sequential", "64");
        frames(20);
        shell().bring_up("Grid");
        frames(5);
    }
    void TearDown() override {
        std::filesystem::remove_all(folder());
        WindowTest::TearDown();
    }
    static std::filesystem::path folder() { return std::filesystem::path(testing::TempDir()) / "recorded-timelines"; }
    static std::shared_ptr<const session::Run> shown_run() { return workspace().shown()->run; }
    /// A script that stands in for `lanescope timeline`.
    static ChildProcess::Command script(const std::string& text) {
        return {.program = "/bin/sh", .arguments = {"-c", text}};
    }
    void until_recorded(TimelineRecorder& recorder) {
        until([&] {
            recorder.poll();
            return !recorder.running();
        });
    }
};

TEST_F(TimelineRecorderWindow, WhatIsRecordedIsTheLaunchThatIsShown) {
    const ChildProcess::Command command = timeline_command(*shown_run());
    EXPECT_THAT(command.arguments, AllOf(Contains("timeline"), Contains("reduce/sequential"), Contains("--json"),
                                         Contains("64"), Not(Contains("--out")), Not(Contains("timeline.json"))));
    EXPECT_GT(command.longest_silence.count(), 0);
}

TEST_F(TimelineRecorderWindow, ARecordingIsKeptAmongThePersonsOwn) {
    TimelineRecorder recorder(folder());
    const timing::TimelineRecording& shipped = *timing::shipped_timelines().front();
    const std::string file = testing::TempDir() + "/shipped-timeline.json";
    ASSERT_TRUE(write_file(file, timing::to_json(shipped)));
    recorder.follow(shown_run(), script("cat " + file));
    EXPECT_TRUE(recorder.running());
    until_recorded(recorder);
    EXPECT_TRUE(recorder.recorded()) << recorder.said();
    EXPECT_THAT(recorder.said(), HasSubstr("Recorded on " + shipped.device));
    ASSERT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 1);
    const auto text = read_file(std::filesystem::directory_iterator(folder())->path());
    ASSERT_TRUE(text);
    EXPECT_EQ(timing::timelines_from_json(*text)->timelines.size(), shipped.timelines.size());
    recorder.follow(shown_run(), script("cat " + file));
    until_recorded(recorder);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 1) << "it takes the first one's place";
}

TEST_F(TimelineRecorderWindow, SaysWhyNothingWasRecorded) {
    TimelineRecorder recorder(folder());
    recorder.follow(shown_run(), script("echo 'lanescope timeline: the driver finds no GPU' >&2; exit 2"));
    until_recorded(recorder);
    EXPECT_FALSE(recorder.recorded());
    EXPECT_EQ(recorder.said(), "No timeline was recorded: the driver finds no GPU.");
    recorder.follow(shown_run(), script("echo '{}'; exit 1"));
    until_recorded(recorder);
    EXPECT_THAT(recorder.said(), HasSubstr("No timeline was recorded: "));
    recorder.follow(shown_run(), {.program = "/nowhere/lanescope", .arguments = {}});
    until_recorded(recorder);
    EXPECT_FALSE(recorder.recorded());
    EXPECT_NE(recorder.said(), "");
    EXPECT_FALSE(std::filesystem::exists(folder()));
}

TEST_F(TimelineRecorderWindow, SaysWhatAGpuWhoseKernelsDoNothingLacks) {
    setenv("LANESCOPE_DRIVER", LANESCOPE_FAKE_DRIVER, 1);
    TimelineRecorder recorder(folder());
    ChildProcess::Command command = timeline_command(*shown_run());
    command.program = LANESCOPE_BINARY;
    recorder.follow(shown_run(), command);
    until_recorded(recorder);
    unsetenv("LANESCOPE_DRIVER");
    EXPECT_FALSE(recorder.recorded());
    EXPECT_THAT(recorder.said(), HasSubstr("No timeline was recorded: no warp of the program ran to its end"));
}

TEST_F(TimelineRecorderWindow, IsCancelledByAClickAndByAnotherRun) {
    workspace().timeline_recorder().follow(shown_run(), script("sleep 1000"));
    frames(2);
    EXPECT_TRUE(workspace().timeline_recorder().running());
    EXPECT_GT(shell().quiet_for(), 0) << "the window looks for the answer by itself";
    keep_picture("grid-measuring");
    frames(2);
    resize(1280, 720);
    frames(20);
    shell().bring_up("Grid");
    frames(5);
    keep_picture("grid-measuring-small");
    frames(2);
    act([](ImGuiTestContext& person) { person.ItemClick("**/##record"); });
    EXPECT_FALSE(workspace().timeline_recorder().running());
    EXPECT_EQ(workspace().timeline_recorder().said(), "") << "a cancelled recording is no failure";
    workspace().timeline_recorder().follow(shown_run(), script("sleep 1000"));
    frames(2);
    run("reduce/sequential", "32");
    frames(3);
    EXPECT_FALSE(workspace().timeline_recorder().running());
}

TEST_F(TimelineRecorderWindow, EndsWhileAnotherPanelIsInFrontOfTheGrid) {
    shell().bring_up("Passes");
    frames(5);
    TimelineRecorder& recorder = workspace().timeline_recorder();
    recorder.follow(shown_run(), script("echo 'lanescope timeline: the driver finds no GPU' >&2; exit 2"));
    until([&] { return !recorder.running(); });
    EXPECT_EQ(recorder.said(), "No timeline was recorded: the driver finds no GPU.");
    recorder.follow(shown_run(), script("sleep 1000"));
    EXPECT_TRUE(recorder.running());
    run("reduce/sequential", "32");
    EXPECT_FALSE(recorder.running()) << "the recording is of another run";
}

}  // namespace
}  // namespace lanescope::ui
