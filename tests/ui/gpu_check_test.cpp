// The badge of the machine that executed the run, and the verification of the same launch on a GPU.
#include "ui/gpu_check.h"

#include "ui/commands.h"
#include "ui/window_test.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <vector>

namespace lanescope::ui {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using State = GpuCheck::State;

class GpuCheckWindow : public WindowTest {
  protected:
    static GpuCheck& check() { return workspace().gpu_check(); }
    /// Starts a verification in which `script` stands in for `lanescope verify`.
    static void ask(const std::string& script) {
        check().follow(workspace().shown()->run, {.program = "/bin/sh", .arguments = {"-c", script}});
    }
    /// The output of `lanescope verify --json` for one kernel, and how it ends.
    static std::string answer(const std::string& verdict, const std::string& more, int status) {
        return fmt::format(
            "echo '{{\"device\": \"Fake GPU\", \"driver\": \"1.2\", \"toolkit\": \"\", \"date\": \"\", \"kernels\": "
            "[{{\"verdict\": \"{}\", \"compared\": 12345, \"told\": 0{}}}]}}'; exit {}",
            verdict, more, status);
    }
    void ask_until_answered(const std::string& script) {
        ask(script);
        until([] { return !check().running(); });
        frames(2);
    }
    void click_badge() {
        act([](ImGuiTestContext& person) { person.ItemClick("##launch/machine"); });
    }
};

TEST_F(GpuCheckWindow, WhatIsAskedIsTheLaunchThatIsShown) {
    run("reduce/sequential", "64");
    EXPECT_THAT(verify_command(*workspace().shown()->run).arguments,
                ElementsAre("verify", "reduce/sequential", "--view", "written", "--n", "64", "--block", "64", "--input",
                            workspace().shown()->run->input, "--json"));
    // The window's own choices are passed, too: `verify` would choose otherwise.
    session::Run by_itself = *workspace().shown()->run;
    by_itself.request = {.program = "reduce/sequential", .view = trace::View::compiled};
    EXPECT_THAT(verify_command(by_itself).arguments,
                ElementsAre("verify", "reduce/sequential", "--view", "compiled", "--n", "64", "--block", "64",
                            "--input", by_itself.input, "--json"));
}

TEST_F(GpuCheckWindow, AQuestionIsUnderWayUntilItIsCancelled) {
    ask("sleep 1000");
    frames(2);
    EXPECT_TRUE(check().running());
    EXPECT_FALSE(possible(command("Verify on this GPU"), shell())) << "one at a time";
    EXPECT_GT(shell().quiet_for(), 0) << "the window looks for the answer by itself";
    keep_picture("gpu-check-running");
    frames(1);
    act([](ImGuiTestContext& person) { person.ItemClick("##launch/stop-check"); });
    EXPECT_EQ(check().state(), State::unknown);
    EXPECT_EQ(check().said(), "") << "a cancelled verification is no failure";
    EXPECT_TRUE(possible(command("Verify on this GPU"), shell()));
}

TEST_F(GpuCheckWindow, BothAgreeUntilAnotherLaunchIsShown) {
    ask_until_answered(answer("agree", "", 0));
    EXPECT_EQ(check().state(), State::agree);
    EXPECT_THAT(check().said(), AllOf(HasSubstr("Fake GPU"), HasSubstr("12,345 accesses")));
    keep_picture("gpu-check-agree");
    frames(1);
    workspace().forward(Unit::instruction);
    frames(1);
    EXPECT_EQ(check().state(), State::agree) << "another place belongs to the same launch";
    type("block", "8");
    EXPECT_EQ(check().state(), State::unknown);
    EXPECT_EQ(check().said(), "");
}

TEST_F(GpuCheckWindow, AnotherLaunchStopsTheQuestion) {
    ask("sleep 1000");
    type("n", "8");
    EXPECT_FALSE(check().running());
}

TEST_F(GpuCheckWindow, TheBadgeOpensTheFirstDifference) {
    // The third time that lane 0 is at a line of PTX in the loop.
    const Shown& shown = *workspace().shown();
    std::vector<std::size_t> times;
    PtxLine line;
    for (std::size_t from = 0; times.size() < 4 && from < shown.passes->steps.size(); ++from) {
        line = shown.trace().step(shown.passes->steps[from]).line;
        times.clear();
        for (std::size_t at = from; at < shown.passes->steps.size(); ++at) {
            const trace::Step& step = shown.trace().step(shown.passes->steps[at]);
            if (step.line == line && step.executed.has(0)) times.push_back(at);
        }
    }
    ASSERT_GE(times.size(), 3U);
    const std::uint32_t source = shown.map->cuda_line(line);
    ask_until_answered(
        answer("differ",
               fmt::format(", \"why\": \"block 0, thread 0, line {0}: the GPU reads 7, the emulator 5\", "
                           "\"first_difference\": {{\"launch\": 0, \"block\": 0, \"thread\": 0, \"line\": "
                           "{0}, \"ptx_line\": {1}, \"nth\": 2}}",
                           source, line.value),
               1));
    EXPECT_EQ(check().state(), State::differ);
    EXPECT_THAT(shell().notice().text(), HasSubstr("the GPU reads 7"));
    EXPECT_EQ(workspace().position(), 0U) << "nothing moves by itself";
    click_badge();
    EXPECT_EQ(workspace().position(), times[2]);
    EXPECT_EQ(workspace().lane(), (Lane{WarpId{0}, 0}));
    workspace().home();
    act([](ImGuiTestContext& person) { person.ItemClick("//Findings/**/entry"); });
    EXPECT_EQ(workspace().position(), times[2]) << "Findings lists it as well";
    keep_picture("gpu-check-differs");
    frames(1);
}

TEST_F(GpuCheckWindow, ADifferenceInABlockThatIsNotRecordedGoesToItsLine) {
    ask_until_answered(
        answer("differ",
               ", \"why\": \"far away\", \"first_difference\": {\"launch\": 9, \"block\": 999, \"thread\": "
               "5, \"line\": 8, \"ptx_line\": 1, \"nth\": 0}",
               1));
    click_badge();
    EXPECT_EQ(workspace().goto_line, 0U) << "Source has scrolled to it";
    EXPECT_EQ(workspace().next_cuda_line(), 8U);
}

TEST_F(GpuCheckWindow, WithoutAGpuAPlainSentenceIsSaid) {
    ask_until_answered("echo 'lanescope verify: this machine has no NVIDIA driver. Install one.' >&2; exit 2");
    EXPECT_EQ(check().state(), State::unknown);
    EXPECT_EQ(check().said(), "This machine has no NVIDIA driver. Install one.");
    EXPECT_EQ(shell().notice().text(), check().said());
    keep_picture("gpu-check-no-gpu");
    frames(1);
}

TEST_F(GpuCheckWindow, WhatCannotBeComparedOrBreaksOffSaysWhy) {
    ask_until_answered(answer("skipped", ", \"why\": \"it allocates on the device\"", 0));
    EXPECT_EQ(check().said(), "Not compared with the GPU: it allocates on the device.");
    ask_until_answered("kill -SEGV $$");
    EXPECT_THAT(check().said(), HasSubstr("signal 11"));
    for (const char* answer : {"nonsense", "{\"kernels\": [{\"verdict\": \"agree\", \"compared\": 1}]}"}) {
        ask_until_answered(fmt::format("echo '{}'", answer));
        EXPECT_EQ(check().state(), State::unknown) << answer;
        EXPECT_NE(check().said(), "") << answer;
    }
    check().follow(workspace().shown()->run, {.program = "/nowhere/lanescope", .arguments = {}});
    EXPECT_THAT(check().said(), HasSubstr("/nowhere/lanescope"));
}

}  // namespace
}  // namespace lanescope::ui
