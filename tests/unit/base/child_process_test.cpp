// Child processes: their output, how they end, and that they end.
#include "base/child_process.h"

#include <gmock/gmock.h>

#include <csignal>
#include <string>
#include <vector>

namespace lanescope {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;
using namespace std::chrono_literals;

ChildProcess::Command shell(const std::string& script) {
    return {.program = "/bin/sh", .arguments = {"-c", script}, .longest_silence = {}};
}

struct Outcome {
    std::vector<std::string> lines;
    Ending ending;
    std::string errors;
};

Outcome finish(ChildProcess child) {
    Outcome outcome;
    while (true) {
        for (std::string& line : child.lines()) outcome.lines.push_back(std::move(line));
        if (const auto ending = child.ending()) {
            outcome.ending = *ending;
            outcome.errors = child.errors();
            return outcome;
        }
        child.wait(1s);
    }
}

Outcome run(const ChildProcess::Command& command) {
    auto child = ChildProcess::start(command);
    if (!child) {
        ADD_FAILURE() << child.error().message();
        return {};
    }
    return finish(std::move(*child));
}

TEST(ChildProcess, GivesItsOutputLineByLine) {
    const Outcome outcome = run(shell("echo one; printf 'two\\n\\nlast'"));
    EXPECT_THAT(outcome.lines, ElementsAre("one", "two", "", "last"));
    EXPECT_TRUE(outcome.ending.fine());
}

TEST(ChildProcess, TakesArgumentsAsTheyAre) {
    const Outcome outcome = run({.program = "/bin/echo", .arguments = {"a  b", "$HOME", "'"}, .longest_silence = {}});
    EXPECT_THAT(outcome.lines, ElementsAre("a  b $HOME '"));
}

TEST(ChildProcess, HasItsExitStatusAndItsErrorMessages) {
    const Outcome outcome = run(shell("echo no >&2; exit 3"));
    EXPECT_EQ(outcome.ending.how, Ending::How::exited);
    EXPECT_EQ(outcome.ending.code, 3);
    EXPECT_EQ(text_of(outcome.ending), "it ended with exit status 3");
    EXPECT_EQ(outcome.errors, "no\n");
}

TEST(ChildProcess, HasTheSignalThatEndedIt) {
    const Outcome outcome = run(shell("kill -SEGV $$"));
    EXPECT_EQ(outcome.ending.how, Ending::How::signal);
    EXPECT_EQ(outcome.ending.code, SIGSEGV);
    EXPECT_THAT(text_of(outcome.ending), HasSubstr("signal 11 (Segmentation fault)"));
}

TEST(ChildProcess, ThatDoesNotExistIsRefused) {
    const auto child = ChildProcess::start({.program = "/no/such/program", .arguments = {}, .longest_silence = {}});
    ASSERT_FALSE(child);
    EXPECT_THAT(child.error().message(), HasSubstr("/no/such/program cannot be started: No such file"));
}

TEST(ChildProcess, ThatIsSilentForTooLongIsEndedWithAllThatItStarted) {
    auto command = shell("echo begun; sleep 1000 & sleep 1000");
    command.longest_silence = 20ms;
    const Outcome outcome = run(command);
    EXPECT_EQ(outcome.ending.how, Ending::How::silent);
    EXPECT_THAT(outcome.lines, SizeIs(testing::Le(1U)));
}

TEST(ChildProcess, IsKilledOnRequest) {
    auto child = ChildProcess::start(shell("echo begun; sleep 1000"));
    ASSERT_TRUE(child);
    child->kill();
    EXPECT_EQ(finish(std::move(*child)).ending.how, Ending::How::killed);
}

TEST(ChildProcess, ThatSaysALotIsHeardToTheEnd) {
    const Outcome outcome =
        run(shell("i=0; while [ $i -lt 20000 ]; do echo 0123456789; i=$((i+1)); done; "
                  "echo end; head -c 100000 /dev/zero >&2"));
    EXPECT_THAT(outcome.lines, SizeIs(20001U));
    EXPECT_EQ(outcome.lines.back(), "end");
    EXPECT_LE(outcome.errors.size(), 4096U);
}

TEST(ChildProcess, ThatIsAbandonedEndsWithItsOwner) {
    const auto child = ChildProcess::start(shell("sleep 1000"));
    EXPECT_TRUE(child);
}

}  // namespace
}  // namespace lanescope
