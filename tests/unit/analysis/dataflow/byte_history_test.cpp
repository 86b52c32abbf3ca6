#include "analysis/dataflow/byte_history.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::analysis {
namespace {

TEST(ByteHistory, AnswersLikeARecordOfEveryByteAtEveryTime) {
    constexpr std::uint64_t bytes = 4096;
    std::mt19937 random(7);
    ByteHistory history(bytes);
    const auto there_from = [](ValueId id) { return id.index() + 1; };
    std::vector<std::vector<std::pair<std::uint32_t, ValueId>>> truth(bytes);  // by byte: when, what
    for (std::uint32_t time = 0; time < 2000; ++time) {
        const unsigned width = 1U << (random() % 5);
        const std::uint64_t address = random() % 256 * 13 % (bytes - 16);
        const ValueId id(time);
        history.write(address, width, id);
        for (std::uint64_t byte = address; byte < address + width; ++byte) truth[byte].emplace_back(time, id);
    }
    for (std::uint64_t byte = 0; byte < bytes; ++byte) {
        EXPECT_EQ(history.newest(byte), truth[byte].empty() ? ValueId{} : truth[byte].back().second);
        for (const std::size_t position :
             {std::size_t{0}, std::size_t{1}, std::size_t{500}, std::size_t{1999}, std::size_t{5000}}) {
            ValueId expected;
            for (const auto& [time, id] : truth[byte]) {
                if (time < position) expected = id;
            }
            EXPECT_EQ(history.before(byte, position, there_from), expected)
                << "byte " << byte << " before " << position;
        }
    }
}

TEST(ByteHistory, AWordWrittenWholeAgainIsOneValueAgain) {
    ByteHistory history(16);
    history.write(4, 4, ValueId(0));
    EXPECT_EQ(history.newest_word(4), ValueId(0));
    history.write(5, 1, ValueId(1));
    EXPECT_FALSE(history.newest_word(4).valid());
    EXPECT_EQ(history.newest(4), ValueId(0));
    EXPECT_EQ(history.newest(5), ValueId(1));
    history.write(4, 4, ValueId(2));
    EXPECT_EQ(history.newest_word(4), ValueId(2));
}

TEST(ByteHistory, HoldsNothingBeyondItsLimit) {
    const ByteHistory history(6);
    EXPECT_TRUE(history.holds(2, 4));
    EXPECT_FALSE(history.holds(3, 4));
    EXPECT_FALSE(history.holds(~0ULL, 4));
}

}  // namespace
}  // namespace lanescope::analysis
