#include "cli/progress_lines.h"

#include <gmock/gmock.h>

#include <chrono>
#include <sstream>
#include <string>
#include <thread>

namespace lanescope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using namespace std::chrono_literals;

std::string written(std::chrono::milliseconds every, bool terminal, std::chrono::milliseconds run) {
    std::ostringstream out, err;
    Progress progress;
    Environment environment{.out = out,
                            .err = err,
                            .err_is_terminal = terminal,
                            .progress_every = every,
                            .progress = progress,
                            .version = "0.0.0",
                            .program = {}};
    {
        const ProgressLines lines(environment);
        progress.say("launch 3: reduce");
        progress.report(0.25F);
        std::this_thread::sleep_for(run);
    }
    return err.str();
}

TEST(ProgressLines, SayWhatALongRunDoesAndHowFarItIs) {
    EXPECT_THAT(written(20ms, false, 300ms), MatchesRegex("(launch 3: reduce, 25 %\n)+"));
}

TEST(ProgressLines, OfATerminalAreOneThatIsGoneAtTheEnd) {
    const std::string text = written(20ms, true, 300ms);
    EXPECT_THAT(text, HasSubstr("\r\x1b[Klaunch 3: reduce, 25 %\r"));
    EXPECT_TRUE(text.ends_with("\r\x1b[K"));
    EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(ProgressLines, SayNothingOfAShortRunOrWhereNothingIsAsked) {
    EXPECT_THAT(written(1h, false, 10ms), IsEmpty());
    EXPECT_THAT(written(0ms, false, 50ms), IsEmpty());
}

TEST(ProgressLines, ShowWhatTheProgramPrintsWhileItRunsOn) {
    std::ostringstream out, err;
    Progress progress;
    progress.print("by the run before\n");
    Environment environment{.out = out,
                            .err = err,
                            .err_is_terminal = false,
                            .progress_every = 1h,
                            .progress = progress,
                            .version = "0.0.0",
                            .program = {}};
    {
        const ProgressLines lines(environment);
        progress.print("round 0\nround");
        std::this_thread::sleep_for(2s);
        progress.print(" 1\nrest");
        std::this_thread::sleep_for(1s);
    }
    EXPECT_EQ(err.str(), "round 0\nround 1\n");
}

}  // namespace
}  // namespace lanescope::cli
