#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "run_support.h"
#include "session/run.h"
#include "session/runner.h"
#include "trace/file.h"

namespace lanescope::session {
namespace {

/// Waits for an answer; the limit is there to end a test that hangs, not to measure.
std::optional<std::expected<std::shared_ptr<const Run>, Refusal>> wait_for(Runner& runner) {
    for (int i = 0; i < 60'000; ++i) {
        if (auto answer = runner.take()) return answer;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return std::nullopt;
}

/// Long enough that it is still running when the next request comes: 2^20 elements in blocks of 2.
Request endless() { return {.program = "reduce/interleaved-modulo", .n = 1U << 20, .block = 2}; }

TEST(Runner, AnswersARequestOnce) {
    Runner runner;
    EXPECT_FALSE(runner.busy());
    runner.submit({.program = "reduce/sequential"});
    const auto answer = wait_for(runner);
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((**answer)->program.name, "reduce/sequential");
    EXPECT_FALSE(runner.take());
}

TEST(Runner, ARefusalIsAnAnswer) {
    Runner runner;
    runner.submit({.program = "reduce/sequential", .block = 3});
    const auto answer = wait_for(runner);
    ASSERT_TRUE(answer);
    ASSERT_FALSE(*answer);
    EXPECT_EQ(answer->error().field, "block");
}

TEST(Runner, TheNewestRequestIsTheOneAnswered) {
    Runner runner;
    runner.submit(endless());
    runner.submit(endless());
    runner.submit({.program = "scan/double-buffered"});
    const auto answer = wait_for(runner);
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((**answer)->program.name, "scan/double-buffered");
    while (runner.busy()) std::this_thread::yield();  // the answer arrives slightly before its thread ends
    EXPECT_FALSE(runner.take());
}

TEST(Runner, ACancelledRequestGivesNoAnswerAndTheNextOneDoes) {
    Runner runner;
    runner.submit(endless());
    EXPECT_TRUE(runner.busy());
    runner.cancel();
    EXPECT_FALSE(runner.busy());
    runner.submit({.program = "reduce/sequential"});
    const auto answer = wait_for(runner);
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((**answer)->program.name, "reduce/sequential");
}

TEST(Runner, EndsInTheMiddleOfARequest) {
    Runner runner;
    runner.submit(endless());
    while (runner.share() < 0 && runner.busy() && runner.seconds() < 5) std::this_thread::yield();
}

TEST(Runner, OpensASavedTraceByItsPath) {
    const ScratchFolder folder;
    const auto path = folder.path() / "saved.lanescope";
    ASSERT_TRUE(trace::save(run_of({.program = "reduce/sequential"})->trace(), path));
    Runner runner;
    runner.submit({.program = path});
    const auto answer = wait_for(runner);
    ASSERT_TRUE(answer && *answer);
    EXPECT_EQ((**answer)->program.name, "reduce/sequential");
}

}  // namespace
}  // namespace lanescope::session
