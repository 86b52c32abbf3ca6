// Recorded hardware counters in the window and in commands on machines that cannot count.
#include "session/hardware_counts.h"
#include "session/hardware_timeline.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const timing::CountedKernel& counted(const std::string& kernel) {
    const auto& kernels = shipped_counters().front().kernels;
    return *std::ranges::find(kernels, kernel, &timing::CountedKernel::kernel);
}

std::shared_ptr<const Run> run_of(const std::string& kernel, std::uint64_t n, trace::View view) {
    const timing::CountedKernel& known = counted(kernel);
    Progress progress;
    const auto answer =
        run({.program = kernel, .n = n, .block = known.block, .input = known.input, .view = view, .record_blocks = 1},
            progress);
    EXPECT_TRUE(answer) << answer.error().problem.message();
    return answer ? *answer : nullptr;
}

TEST(HardwareCounts, ShipWithDeviceDriverCompilerDateAndCommand) {
    ASSERT_THAT(shipped_counters(), SizeIs(5U));
    for (const timing::CounterRecording& recording : shipped_counters())
        for (const std::string* label :
             {&recording.device, &recording.driver, &recording.toolkit, &recording.date, &recording.command})
            EXPECT_FALSE(label->empty());
}

TEST(HardwareCounts, StandBesideTheEmulatorsForTheLaunchThatWasCounted) {
    const auto run = run_of("scan/padded", counted("scan/padded").n, trace::View::compiled);
    const auto found = hardware_counts(*run);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->device, "NVIDIA H200");
    EXPECT_THAT(found->origin, AllOf(HasSubstr("driver 5"), HasSubstr("NVRTC"), HasSubstr("lanescope counters")));
    EXPECT_TRUE(found->same_launch);
    ASSERT_THAT(found->builds, SizeIs(2U));
    EXPECT_FALSE(found->builds[0].optimized) << "-O0 first";
    for (const CountedBuild& build : found->builds) EXPECT_TRUE(are_equal(build.hardware, build.emulator));
    EXPECT_THAT(found->why[0], IsEmpty());
}

TEST(HardwareCounts, OfABuildThatNoRecordingOfTheEmulatedDeviceHasAreThoseOfAnother) {
    const auto device = [](trace::View view) {
        Progress progress;
        const auto run =
            session::run({.program = "reduce/reduce-and-compress", .view = view, .record_blocks = 1}, progress);
        const auto found = run ? hardware_counts(**run) : std::nullopt;
        return found ? found->device : "";
    };
    EXPECT_THAT(device(trace::View::compiled), HasSubstr("H200"));
    EXPECT_THAT(device(trace::View::written), HasSubstr("H100"));
}

TEST(HardwareCounts, OfAnotherLaunchSayWhichWasCounted) {
    const auto run = run_of("scan/padded", counted("scan/padded").n - 1, trace::View::written);
    const auto found = hardware_counts(*run);
    ASSERT_TRUE(found);
    EXPECT_FALSE(found->same_launch);
    EXPECT_EQ(found->n, counted("scan/padded").n);
    ASSERT_THAT(found->builds, SizeIs(1U));
    EXPECT_THAT(found->why[0], IsEmpty());
}

TEST(HardwareCounts, ThatDifferAreExplainedByTheBuildThatDoesNot) {
    const auto run = run_of("scan/double-buffered", counted("scan/double-buffered").n, trace::View::compiled);
    const auto found = hardware_counts(*run);
    ASSERT_TRUE(found && found->builds.size() == 2);
    EXPECT_THAT(found->why[0], IsEmpty());
    EXPECT_THAT(found->why[1], AllOf(HasSubstr("wavefronts of shared loads"), HasSubstr("at -O0 all are equal")));
}

TEST(HardwareCounts, AreNotKnownOfWhatWasNotCounted) {
    Progress progress;
    const auto answer = run({.program = "faulty/missing-barrier", .record_blocks = 1}, progress);
    ASSERT_TRUE(answer);
    EXPECT_FALSE(hardware_counts(**answer));
}

TEST(HardwareCounts, OfAnotherLaunchSayHowThisOneDiffers) {
    const timing::CountedKernel& known = counted("scan/padded");
    EXPECT_EQ(hardware_counts(*run_of("scan/padded", known.n, trace::View::compiled))->instead, "");
    EXPECT_THAT(hardware_counts(*run_of("scan/padded", known.n - 1, trace::View::compiled))->instead,
                HasSubstr("n = 2,046 instead of 2,047"));
    Request request{.program = "scan/padded",
                    .n = known.n,
                    .block = 128,
                    .input = "iota",
                    .view = trace::View::compiled,
                    .arch = 80,
                    .record_blocks = 1};
    Progress progress;
    const auto other = run(request, progress);
    ASSERT_TRUE(other);
    EXPECT_FALSE(hardware_counts(**other)->same_launch);
    EXPECT_EQ(hardware_counts(**other)->instead,
              "blocks of 128 threads instead of 256, iota, for compute capability 8.0 instead of random 7");
}

TEST(HardwareCounts, SayThatTheHardwareCountsNoMbarriersAndAsynchronousCopies) {
    Progress progress;
    const auto run = session::run(
        {.program = "scan/ring-copy", .n = 1023, .block = 256, .input = "random 7", .view = trace::View::compiled},
        progress);
    ASSERT_TRUE(run);
    const auto found = hardware_counts(**run);
    ASSERT_TRUE(found && found->same_launch);
    for (const std::string& why : found->why)
        EXPECT_THAT(why, HasSubstr("mbarriers as shared atomics and cp.async as shared stores; the GPU executes both"));
}

TEST(HardwareTimeline, OfAnotherLaunchSaysHowThisOneDiffers) {
    Progress progress;
    const auto run = session::run({.program = "scan/padded", .n = 64, .block = 32, .input = "iota"}, progress);
    ASSERT_TRUE(run);
    timing::Timeline recorded{.kernel = "scan/padded", .view = "written", .n = 64, .block = 32, .input = "iota"};
    const trace::Launch& launch = (*run)->trace().launches.front();
    recorded.launches.push_back({.kernel = launch.kernel, .grid = launch.grid.sides(), .block = launch.block.sides()});
    EXPECT_EQ(how_run_differs(**run, recorded), "");
    recorded.launches.front().grid = {7, 1, 1};
    EXPECT_EQ(how_run_differs(**run, recorded), "a grid of 1 x 1 x 1 instead of 7 x 1 x 1");
    recorded.view = "compiled";
    recorded.n = 4096;
    EXPECT_EQ(how_run_differs(**run, recorded), "as written instead of as compiled, n = 64 instead of 4,096");
}

TEST(TimingCommand, HasAllThatTheLaunchOnTheScreenHas) {
    Progress progress;
    const auto run = session::run({.program = "reduce/sequential",
                                   .n = 96,
                                   .block = 32,
                                   .input = "iota",
                                   .compiler_options = {"-DN=4"},
                                   .arch = 80},
                                  progress);
    ASSERT_TRUE(run);
    EXPECT_EQ(fmt::format("{}", fmt::join(timing_arguments(**run), " ")),
              "time reduce/sequential --view written --n 96 --block 32 --input iota --arch 80 -DN=4 --out times.json");
}

}  // namespace
}  // namespace lanescope::session
