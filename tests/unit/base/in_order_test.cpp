#include "base/in_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <thread>
#include <vector>

namespace lanescope {
namespace {

using testing::ElementsAre;

TEST(InOrder, GivesTheResultsInTheOrderOfTheItemsThoughLaterOnesEndFirst) {
    std::atomic<bool> second_ended = false;
    InOrder<std::size_t> numbers(2, 2, [&](std::size_t item) {
        if (item == 0) second_ended.wait(false);
        if (item == 1) {
            second_ended = true;
            second_ended.notify_all();
        }
        return item + 10;
    });
    const std::size_t first = numbers.next(), second = numbers.next();
    EXPECT_THAT((std::vector{first, second}), ElementsAre(10, 11));
}

TEST(InOrder, WorksOnAsManyItemsAtOnceAsItHasThreads) {
    constexpr unsigned threads = 4;
    std::barrier all_began(threads);  // ends only if all of them are worked on at once
    InOrder<bool> work(threads, threads, [&](std::size_t) {
        all_began.arrive_and_wait();
        return true;
    });
    for (unsigned i = 0; i < threads; ++i) EXPECT_TRUE(work.next());
}

TEST(InOrder, BeginsNoFurtherItemWhenItEnds) {
    std::atomic<unsigned> begun = 0;
    {
        InOrder<bool> work(1000, 1, [&](std::size_t) {
            ++begun;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return true;
        });
        EXPECT_TRUE(work.next());
    }
    EXPECT_LT(begun, 1000U);
}

}  // namespace
}  // namespace lanescope
