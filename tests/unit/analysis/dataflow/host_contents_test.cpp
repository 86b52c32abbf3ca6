#include "analysis/dataflow/host_contents.h"

#include "unit/analysis/hand_made.h"

#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

TEST(HostContents, IsWhatTheBufferBeganWithUntilTheHostWrites) {
    HandMade made("ld.global.u32 %r2, [%rd0];\nret;", 1);
    const auto read = [&](std::uint64_t value) {
        made.step("ld.global", LaneMask::only(0))
            .load(trace::Space::global, 4, {0x1008}, {value})
            .write("%r2", {value});
    };
    read(102);
    made.launch_again(0, 2, 31, 42);
    read(31);
    made.launch_again(0, 2, 0x10203, 43);
    read(0x10203);
    const auto trace = made.finish();
    EXPECT_EQ(host_writes_at(*trace, 0), 0U);
    EXPECT_EQ(host_writes_at(*trace, 1), 1U) << "there when the launch begins";
    EXPECT_EQ(host_writes_at(*trace, 2), 2U);
    const auto bits = [&](std::uint64_t offset, unsigned bytes, std::uint32_t writes) {
        return host_contents_at(*trace, 0, offset, bytes, writes).bits;
    };
    EXPECT_EQ(bits(8, 4, 0), 102U);
    EXPECT_EQ(bits(8, 4, 1), 31U);
    EXPECT_EQ(bits(8, 4, 2), 0x10203U);
    EXPECT_EQ(bits(10, 4, 2), 0x670001U) << "half of it the host's, half of the next element";
    EXPECT_EQ(bits(60, 8, 2), 115U) << "nothing beyond the end";
    EXPECT_FALSE(host_contents_at(*trace, 0, 12, 4, 2).host_write);
    EXPECT_EQ(host_contents_at(*trace, 0, 8, 4, 2).host_write, 1U);
}

}  // namespace
}  // namespace lanescope::analysis
