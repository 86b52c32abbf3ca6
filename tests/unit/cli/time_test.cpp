// `lanescope time` with a fake GPU (tests/fake/cuda_driver.cpp): each failure ends one worker process and is reported
// in a plain sentence, and the other measurements continue.
#include "cli/time_jobs.h"
#include "places.h"
#include "session/whole_program.h"
#include "timing/stream.h"
#include "unit/cli/command_answer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

namespace lanescope::cli {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

struct TimeAnswer {
    int code = 0;
    std::string out, err;
    timing::Recording recording;
    std::optional<Problem> problem;
    bool ended = false;
};

class TimeCommand : public testing::Test {
  protected:
    /// The input is zeros: the fake GPU computes nothing, which is then the right result.
    TimeAnswer time(const std::string& wrong, std::vector<std::string> arguments) {
        setenv("LANESCOPE_DRIVER", LANESCOPE_FAKE_DRIVER, 1);
        setenv("FAKE_CUDA", wrong.c_str(), 1);
        arguments.insert(arguments.begin(), "time");
        arguments.insert(arguments.end(), {"--input", "0", "--samples", "5", "--stream"});
        const CommandAnswer answered = answer_of(arguments);
        TimeAnswer answer{.code = answered.code, .out = answered.out, .err = answered.err};
        std::istringstream lines(answer.out);
        for (std::string line; std::getline(lines, line);) {
            const auto event = timing::from_line(line);
            EXPECT_TRUE(event) << line;
            if (!event) continue;
            timing::add(answer.recording, *event);
            if (const auto* problem = std::get_if<Problem>(&*event)) answer.problem = *problem;
            answer.ended = answer.ended || std::holds_alternative<timing::Ended>(*event);
        }
        return answer;
    }

    static TimeAnswer recount(const std::filesystem::path& file) {
        const CommandAnswer answered = answer_of({"time", "--recount", file.string()});
        return {.code = answered.code, .out = answered.out, .err = answered.err, .recording = {}, .problem = {}};
    }

    /// Times two sizes of one kernel, which must both be omitted with the reason.
    void expect_omissions(const std::string& wrong, const std::string& why, bool fault = true) {
        const TimeAnswer answer =
            time(wrong, {"reduce/sequential", "--n", "1024,2048", "--block", "64", "--limit", "1"});
        EXPECT_TRUE(answer.ended) << answer.err;
        EXPECT_EQ(answer.code, fault ? kernel_wrong : request_wrong) << "nothing was measured";
        EXPECT_THAT(answer.recording.points, IsEmpty());
        ASSERT_THAT(answer.recording.omissions, SizeIs(2U)) << answer.out;
        for (const timing::Omission& omission : answer.recording.omissions) EXPECT_THAT(omission.what, HasSubstr(why));
        EXPECT_THAT(answer.recording.copies, SizeIs(2U)) << "the rest went on";
    }
};

TEST_F(TimeCommand, MeasuresTheCeilingsAndEachKernelUntilOneValueIsLeft) {
    const TimeAnswer answer = time("", {"reduce/sequential", "--n", "4096", "--block", "64,128"});
    EXPECT_EQ(answer.code, fine) << answer.err;
    EXPECT_TRUE(answer.ended);
    EXPECT_EQ(answer.recording.device, "NVIDIA Fake");
    EXPECT_EQ(answer.recording.peak_formula, "256/8 x 2.000 GHz x 2");
    EXPECT_EQ(answer.recording.peak, 128);
    EXPECT_EQ(answer.recording.overhead.median, 10);
    EXPECT_THAT(answer.recording.copies, SizeIs(1U));
    ASSERT_THAT(answer.recording.sweeps, SizeIs(1U));
    EXPECT_THAT(answer.recording.sweeps[0].shape, HasSubstr("loads of 16 bytes in flight"));
    ASSERT_THAT(answer.recording.points, SizeIs(2U));
    const timing::Point& point = answer.recording.points[0];
    EXPECT_TRUE(point.agrees);
    EXPECT_EQ(point.check, "emulator");
    EXPECT_TRUE(point.until_one);
    EXPECT_EQ(point.launches, 2U) << "64 values, then one";
    EXPECT_EQ(point.bytes, 4 * 4096U);
    ASSERT_TRUE(point.counts);
    EXPECT_GT(point.counts->operations, 0U);
}

TEST_F(TimeCommand, SaysThatThereIsNoGpu) {
    const TimeAnswer answer = time("none", {"reduce/sequential"});
    EXPECT_EQ(answer.code, request_wrong);
    ASSERT_TRUE(answer.problem);
    EXPECT_THAT(answer.problem->what, HasSubstr("finds no GPU"));
}

TEST_F(TimeCommand, SaysWhichCompilerAnOldDriverTakes) {
    const TimeAnswer answer = time("old", {"reduce/sequential"});
    EXPECT_EQ(answer.code, request_wrong);
    ASSERT_TRUE(answer.problem);
    EXPECT_THAT(answer.problem->what, HasSubstr("the driver supports CUDA 12.2"));
    EXPECT_THAT(answer.problem->remedy, AllOf(HasSubstr("580 or later"), HasSubstr("550 or later")));
    const TimeAnswer newer = time("aged", {"reduce/sequential"});
    ASSERT_TRUE(newer.problem);
    EXPECT_THAT(newer.problem->remedy, AllOf(HasSubstr("CUDA 12.4 to 12.6"), HasSubstr("LANESCOPE_NVRTC")));
}

TEST_F(TimeCommand, SaysThatAGpuIsTooOld) { expect_omissions("ancient", "this GPU has 5.0", false); }

TEST_F(TimeCommand, SaysThatThePtxIsTooNew) {
    const TimeAnswer answer = time("reject", {"reduce/sequential"});
    EXPECT_THAT(answer.problem->what, HasSubstr("the PTX is newer than the driver"));
}

TEST_F(TimeCommand, SaysThatAKernelTouchedWhatIsNotItsOwn) {
    expect_omissions("fault", "illegal address (CUDA_ERROR_ILLEGAL_ADDRESS)");
}

TEST_F(TimeCommand, SaysThatTheGpuIsLost) { expect_omissions("lost", "the GPU is lost"); }

TEST_F(TimeCommand, OutlivesAKernelThatEndsItsProcess) {
    ::setenv("ASAN_OPTIONS", "handle_segv=0", 1);  // the signal itself, also under a sanitizer
    expect_omissions("crash", "ended by signal 11");
}

TEST_F(TimeCommand, EndsAKernelThatNeverEnds) { expect_omissions("hang", "did not end on the GPU within 1 s"); }

TEST_F(TimeCommand, GoesOnWithWhatFitsWhereMemoryIsFull) {
    const TimeAnswer answer = time("full", {"reduce/sequential", "--n", "1024,65536", "--block", "64"});
    ASSERT_THAT(answer.recording.points, SizeIs(1U));
    EXPECT_EQ(answer.recording.points[0].n, 1024U);
    ASSERT_THAT(answer.recording.omissions, Not(IsEmpty()));
    EXPECT_THAT(answer.recording.omissions.back().what, HasSubstr("out of memory"));
}

TEST_F(TimeCommand, RunsNothingInWhichTheEmulatorFoundAFault) {
    const TimeAnswer answer = time("", {"faulty/missing-barrier", "--n", "1024", "--block", "64"});
    EXPECT_THAT(answer.recording.points, IsEmpty());
    ASSERT_THAT(answer.recording.omissions, SizeIs(1U));
    EXPECT_THAT(answer.recording.omissions[0].what, HasSubstr("the emulator has a finding"));
    EXPECT_THAT(time("", {"faulty/missing-barrier", "--n", "1024", "--block", "64", "--anyway"}).recording.points,
                SizeIs(1U));
}

TEST_F(TimeCommand, SaysWhereAKernelTakesNoSuchBlockOrNumber) {
    const TimeAnswer answer = time("", {"reduce/sequential", "apply/partition", "--n", "2048,4096", "--block", "96"});
    ASSERT_THAT(answer.recording.omissions, SizeIs(3U));
    EXPECT_THAT(answer.recording.omissions[0].what, HasSubstr("cannot run in blocks of 96 threads"));
    EXPECT_THAT(answer.recording.omissions[2].what, HasSubstr("as many elements as it has threads"));
    ASSERT_THAT(answer.recording.points, SizeIs(1U)) << "at the most that it takes, once";
    EXPECT_EQ(answer.recording.points[0].n, 96U);
}

TEST_F(TimeCommand, SweepsTheElementsOfAThreadWhereTheKernelLeavesTheChoice) {
    const TimeAnswer answer =
        time("", {"reduce/grid-stride", "reduce/sequential", "--n", "65536", "--block", "64", "--per-thread", "8,32"});
    ASSERT_THAT(answer.recording.points, SizeIs(3U)) << answer.err;
    EXPECT_EQ(answer.recording.points[0].grid, 128U);
    EXPECT_EQ(answer.recording.points[0].per_thread(), 8);
    EXPECT_EQ(answer.recording.points[1].grid, 32U);
    EXPECT_EQ(answer.recording.points[2].kernel, "reduce/sequential");
}

TEST_F(TimeCommand, MeasuresEveryKernelForEachTypeOrSaysWhyNot) {
    const TimeAnswer answer =
        time("", {"reduce/one-launch", "reduce/sequential", "--n", "4096", "--block", "64", "--element", "int,float"});
    ASSERT_THAT(answer.recording.points, SizeIs(4U)) << answer.err;
    EXPECT_EQ(answer.recording.points[0].element, "int");
    EXPECT_EQ(answer.recording.points[1].element, "float");
    EXPECT_EQ(answer.recording.points[2].element, "int");
    EXPECT_EQ(answer.recording.points[3].element, "float");
    EXPECT_EQ(answer.recording.points[3].kernel, "reduce/sequential");
    const TimeAnswer none =
        time("", {"reduce/warp-instruction", "--n", "4096", "--block", "64", "--element", "int,float"});
    EXPECT_THAT(none.recording.points, SizeIs(1U));
    ASSERT_THAT(none.recording.omissions, SizeIs(1U));
    EXPECT_EQ(none.recording.omissions[0].element, "float");
    EXPECT_THAT(none.recording.omissions[0].what, HasSubstr("redux.sync"));
}

TEST_F(TimeCommand, ReportsLaunchesThatTheHostWorksBetween) {
    if (const auto problem = session::cannot_run_programs()) GTEST_SKIP() << problem->message();
    const TimeAnswer answer = time("", {"scan/sums-on-the-host", "--n", "4096", "--block", "64"});
    ASSERT_THAT(answer.recording.points, SizeIs(1U)) << answer.err;
    EXPECT_TRUE(answer.recording.points[0].apart);
    EXPECT_EQ(answer.recording.points[0].time.median, 20) << "two launches of 10 us";
}

TEST_F(TimeCommand, LimitsTheTimeOnTheGpuAlone) {
    if (const auto problem = session::cannot_run_programs()) GTEST_SKIP() << problem->message();
    // The macro is another one in every run, so that nvcc, which takes seconds, has to compile the program.
    const TimeAnswer answer = time("", {"scan/sums-on-the-host", "--n", "4096", "--block", "64", "--limit", "1", "-D",
                                        fmt::format("COMPILED_BY={}", std::random_device()())});
    EXPECT_THAT(answer.recording.points, SizeIs(1U)) << answer.err;
    EXPECT_THAT(answer.recording.omissions, IsEmpty());
}

TEST_F(TimeCommand, GoesOnWithARecordingThatWasStopped) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "resumed.json";
    std::filesystem::remove(file);
    const std::vector<std::string> whole{"reduce/sequential", "--n", "1024,2048", "--block", "64", "--out", file};
    EXPECT_THAT(time("", whole).recording.points, SizeIs(2U));

    std::ifstream in(file);
    auto recording = timing::from_json({std::istreambuf_iterator<char>(in), {}}, "resumed.json");
    ASSERT_TRUE(recording);
    recording->points[0].time.median = 12345;  // existing points must not be measured again
    recording->points.pop_back();
    std::ofstream(file) << timing::to_json(*recording);

    const TimeAnswer answer = time("", {"--resume", file});
    EXPECT_EQ(answer.code, fine) << answer.err;
    ASSERT_THAT(answer.recording.points, SizeIs(2U)) << answer.out;
    EXPECT_EQ(answer.recording.points[0].time.median, 12345);
    EXPECT_EQ(answer.recording.points[1].n, 2048U);
    EXPECT_THAT(answer.recording.copies, SizeIs(2U)) << "no size but the recording's own";
}

TEST_F(TimeCommand, CountsAgainWhatARecordingHas) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "recounted.json";
    std::filesystem::remove(file);
    EXPECT_THAT(time("", {"reduce/atomic", "--n", "1024,2048", "--block", "64", "--out", file}).recording.points,
                SizeIs(2U));
    const auto read = [&] {
        std::ifstream in(file);
        return timing::from_json({std::istreambuf_iterator<char>(in), {}}, "recounted.json").value();
    };
    const timing::Recording made = read();
    ASSERT_TRUE(made.points[1].counts);
    EXPECT_GT(made.points[1].counts->atomics_at_one_word, 0U);

    timing::Recording lacking = made;
    lacking.points[0].counts.reset();
    lacking.points[1].counts->atomics_at_one_word = 0;
    std::ofstream(file) << timing::to_json(lacking);
    TimeAnswer answer = recount(file);
    EXPECT_EQ(answer.code, fine);
    EXPECT_EQ(answer.out, "1 of 1 point has other counts than before.\n");
    EXPECT_THAT(answer.err, Not(HasSubstr("does not execute"))) << "the count was lacking";
    EXPECT_EQ(read().points[0].counts, std::nullopt);
    EXPECT_EQ(read().points[1].counts, made.points[1].counts);

    lacking = made;
    ++lacking.points[1].counts->instructions;
    std::ofstream(file) << timing::to_json(lacking);
    EXPECT_THAT(recount(file).err, HasSubstr("reduce/atomic does not execute as it did when it was timed."));
    EXPECT_EQ(read().points[1].counts, made.points[1].counts);
    EXPECT_EQ(recount("no such file").code, request_wrong);
}

TEST_F(TimeCommand, CallsAFileByItsNameAndTakesTheKernelThatIsAskedFor) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "mine.cu";
    std::ofstream(file) << "__global__ void one(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x]; }\n"
                           "__global__ void two(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }\n";
    const TimeAnswer answer = time("", {file, "--kernel", "two", "--n", "64", "--block", "64"});
    ASSERT_THAT(answer.recording.points, SizeIs(1U)) << answer.err;
    EXPECT_EQ(answer.recording.points[0].kernel, "mine.cu");
    EXPECT_EQ(answer.recording.points[0].check, "emulator");
}

TEST(TimeJob, IsToldAsText) {
    const TimeJob job{.n = 4096, .block = 64, .grid = 0, .per_thread = 8};
    EXPECT_EQ(read_job(text_of(job)), job);
    EXPECT_EQ(read_job("4096:64"), (TimeJob{.n = 4096, .block = 64}));
    for (const char* none : {"", "4096", "x", "4096:64:", "1:2:3:4:5", "1:2x"})
        EXPECT_FALSE(read_job(none) && read_job(none)->block != 0) << none;
}

}  // namespace
}  // namespace lanescope::cli
