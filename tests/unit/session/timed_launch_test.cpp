// The directives of a program for a launch that is timed: `timed template`, `timed grid`, `timed shared`.
#include "session/launch_plan.h"

#include <gmock/gmock.h>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

Request look_back(std::optional<unsigned> multiprocessors) {
    Request request;
    request.program = "scan/look-back";
    request.n = 100000;
    request.block = 256;
    request.multiprocessors = multiprocessors;
    return request;
}

TEST(TimedLaunch, TakesTheElementsAThreadAndTheGridThatTheProgramNamesForHardware) {
    const auto pictured = plan(look_back(std::nullopt)), timed = plan(look_back(132));
    ASSERT_TRUE(pictured && timed);
    EXPECT_EQ(pictured->instance, "scan<int, 256, 1>");
    EXPECT_EQ(pictured->grid.x, 98U);  // ceil(100000 / (4 * 256))
    EXPECT_EQ(timed->instance, "scan<int, 256, 10>");
    EXPECT_EQ(timed->grid.x, 10U);  // ceil(100000 / (40 * 256))
}

TEST(TimedLaunch, MayTakeFewerElementsAThreadWhereThereAreFew) {
    Request request = look_back(132);
    request.program = "scan/one-round-trip";
    const auto few = plan(request);
    request.n = std::uint64_t{1} << 20;
    const auto many = plan(request);
    ASSERT_TRUE(few && many);
    EXPECT_EQ(few->instance, "scan<int, 256, 4>");
    EXPECT_EQ(few->grid.x, 25U);  // ceil(100000 / (16 * 256))
    EXPECT_EQ(many->instance, "scan<int, 256, 8>");
    EXPECT_EQ(many->grid.x, 128U);  // 2^20 / (32 * 256)
}

TEST(TimedLaunch, FillsTheMultiprocessorsThereAre) {
    Request request = look_back(132);
    request.program = "reduce/one-launch";
    request.n = std::uint64_t{1} << 24;
    const auto timed = plan(request);
    ASSERT_TRUE(timed);
    EXPECT_EQ(timed->grid.x, 8U * 132U);
    request.grid = 3;
    const auto asked = plan(request);
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->grid.x, 3U) << "what is asked for by name wins";
}

TEST(TimedLaunch, TakesTheSharedMemoryThatTheProgramNamesForHardware) {
    Request request = look_back(std::nullopt);
    request.program = "scan/specialized-warps";
    const auto pictured = plan(request);
    request.multiprocessors = 2;
    const auto timed = plan(request);
    ASSERT_TRUE(pictured && timed);
    EXPECT_EQ(pictured->shared_bytes, 6U * 256 * 4) << "six slots of one row a thread";
    EXPECT_EQ(timed->shared_bytes, 6U * 8192 * 4) << "six slots of 8192 elements";
}

TEST(TimedLaunch, KnowsNoMultiprocessorsWhereNothingIsTimed) {
    EXPECT_TRUE(evaluate("2 * multiprocessors", {.n = 1, .block = 1, .grid = 1, .multiprocessors = 132}));
    const auto without = evaluate("2 * multiprocessors", {.n = 1, .block = 1, .grid = 1});
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().what, HasSubstr("multiprocessors"));
}

}  // namespace
}  // namespace lanescope::session
