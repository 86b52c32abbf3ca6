#include "base/newest_asked.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace lanescope {
namespace {

using testing::ElementsAre;

using Counting = NewestAsked<int, int>;

std::vector<int> all_answers(Counting& asked) {
    while (asked.busy()) std::this_thread::yield();
    return asked.take();
}

TEST(NewestAsked, GivesTheAnswersInOrderAndOnce) {
    Counting asked([](int question, Progress&, const Counting::Give& give) {
        for (int i = 1; i <= 3; ++i) give(10 * question + i);
    });
    asked.ask(4);
    EXPECT_THAT(all_answers(asked), ElementsAre(41, 42, 43));
    EXPECT_FALSE(asked.has_answers());
    EXPECT_TRUE(asked.take().empty());
}

TEST(NewestAsked, CancelsTheQuestionBeforeAndDropsItsAnswers) {
    std::atomic<bool> begun = false;
    Counting asked([&](int question, Progress& progress, const Counting::Give& give) {
        give(question);
        begun = true;
        while (question == 1 && !progress.cancelled()) std::this_thread::yield();
        give(question);
    });
    asked.ask(1);
    while (!begun) std::this_thread::yield();
    asked.ask(2);
    EXPECT_THAT(all_answers(asked), ElementsAre(2, 2));
}

TEST(NewestAsked, ThatIsCancelledKeepsWhatItSaidAndSaysNoMore) {
    std::atomic<bool> begun = false;
    std::atomic<bool> ended = false;
    Counting asked([&](int question, Progress& progress, const Counting::Give& give) {
        give(question);
        begun = true;
        while (!progress.cancelled()) std::this_thread::yield();
        give(question + 1);
        ended = true;
    });
    asked.ask(7);
    while (!begun) std::this_thread::yield();
    asked.cancel();
    EXPECT_FALSE(asked.busy());
    while (!ended) std::this_thread::yield();
    EXPECT_THAT(asked.take(), ElementsAre(7));
}

TEST(NewestAsked, EndsWithAQuestionInFlight) {
    std::atomic<bool> begun = false;
    {
        Counting asked([&](int, Progress& progress, const Counting::Give&) {
            begun = true;
            while (!progress.cancelled()) std::this_thread::yield();
        });
        asked.ask(1);
        while (!begun) std::this_thread::yield();
    }
    EXPECT_TRUE(begun);
}

}  // namespace
}  // namespace lanescope
