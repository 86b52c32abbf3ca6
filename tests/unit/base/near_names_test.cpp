#include "base/near_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kernels{"interleaved-modulo", "sequential", "strided-index", "double-buffered"};

TEST(NearNames, AMisspeltNameFindsTheOneMeant) {
    EXPECT_THAT(near_names("sequentail", kernels), ElementsAre("sequential"));
    EXPECT_THAT(near_names("strided_index", kernels), ElementsAre("strided-index"));
}

TEST(NearNames, APartOfANameFindsIt) { EXPECT_THAT(near_names("modulo", kernels), ElementsAre("interleaved-modulo")); }

TEST(NearNames, AnotherWordFindsNothing) {
    EXPECT_THAT(near_names("matmul", kernels), IsEmpty());
    EXPECT_THAT(near_names("", kernels), IsEmpty());
}

TEST(NearNames, TheNearestComesFirst) {
    EXPECT_THAT(near_names("block", {"clock", "blocks", "rock", "block"}), ElementsAre("block", "clock", "blocks"));
}

TEST(DidYouMean, AsksInASentence) {
    EXPECT_EQ(did_you_mean("sequentail", kernels), "Did you mean \"sequential\"?");
    EXPECT_EQ(did_you_mean("matmul", kernels), "");
}

}  // namespace
}  // namespace lanescope
