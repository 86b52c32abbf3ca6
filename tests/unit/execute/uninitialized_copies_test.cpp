// Where copies of uninitialized memory lie in shared memory.
#include "execute/emulator/uninitialized_copies.h"

#include <gtest/gtest.h>

namespace lanescope::execute {
namespace {

TEST(UninitializedCopies, AreGoneWhereAWiderStoreLiesOverThem) {
    UninitializedCopies copies;
    copies.write_shared(16, 4, 0xF);
    EXPECT_EQ(copies.in_shared(16, 4), 0xFU);
    copies.write_shared(16, 8, 0);
    EXPECT_EQ(copies.in_shared(16, 8), 0U);
}

TEST(UninitializedCopies, AreTrackedByTheByte) {
    UninitializedCopies copies;
    copies.write_shared(8, 8, 0xF0);
    EXPECT_EQ(copies.in_shared(8, 8), 0xF0U);
    EXPECT_EQ(copies.in_shared(12, 8), 0x0FU) << "what lies after it was never a copy";
    copies.write_shared(13, 1, 0);
    EXPECT_EQ(copies.in_shared(8, 8), 0xD0U);
}

}  // namespace
}  // namespace lanescope::execute
