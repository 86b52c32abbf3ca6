// Threads that a schedule delays: the accesses of a race swap their order, lanes of a warp diverge, a store becomes
// visible late; ordered accesses stay ordered.
#include "execute/emulator/schedule.h"

#include "harness.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::execute {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

std::string scheduled_kernel(const std::string& body) {
    return R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry test(.param .u64 test_data, .param .u64 test_out)
{
.reg .pred %p<4>;
.reg .b32 %r<12>;
.reg .b64 %d<8>;
.shared .align 4 .b8 cells[512];
ld.param.u64 %d0, [test_data];
ld.param.u64 %d1, [test_out];
mov.u32 %r0, %ctaid.x;
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ntid.x;
mad.lo.u32 %r3, %r0, %r2, %r1;
mul.wide.u32 %d2, %r3, 4;
add.s64 %d2, %d1, %d2;
mov.u32 %r4, cells;
shl.b32 %r5, %r1, 2;
add.u32 %r4, %r4, %r5;
)" + body + "ret;\n}\n";
}

/// The number of the first line that contains the text, from 1.
unsigned line_of(const std::string& ptx, std::string_view text) {
    const std::size_t at = ptx.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    return 1 + static_cast<unsigned>(std::count(ptx.begin(), ptx.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

Kernel under(const std::string& ptx, unsigned blocks, unsigned threads, const std::string& schedule,
             std::uint64_t recorded = 16) {
    Limits limits{.record_blocks = recorded};
    if (!schedule.empty()) limits.schedule = read_schedule(schedule).value();
    Kernel kernel(ptx);
    kernel.grid(blocks).block(threads).limits(limits);
    kernel.buffer("data", std::vector<std::uint32_t>(8, 0));
    kernel.buffer("out", std::vector<std::uint32_t>(std::size_t{blocks} * threads, 99));
    return kernel;
}

/// Each thread stores its number, and reads its left neighbor's without a barrier.
const std::string neighbors = scheduled_kernel(R"(
st.shared.u32 [%r4], 0;
bar.sync 0;
add.u32 %r6, %r1, 1;
st.shared.u32 [%r4], %r6; // mine
setp.eq.u32 %p0, %r1, 0;
@%p0 bra done;
ld.shared.u32 %r7, [%r4+-4]; // left
done:
bar.sync 0;
st.global.u32 [%d2], %r7;
)");

TEST(Schedule, HasATextThatReadsBack) {
    for (const std::string text :
         {"hold 0:1:3 at 57", "hold 2:0 at 9 #2", "delay 0:0:31 at 12", "launch 2 hold 1:0:0 at 5", "shuffled 7",
          "hold 0:1:3 at 57, delay 0:0:1 at 8 #4, shuffled 18446744073709551615"}) {
        const auto read = read_schedule(text);
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(text_of(*read), text);
    }
    EXPECT_EQ(text_of(read_schedule("  hold   0:1   at 5 ,shuffled  3 ").value()), "hold 0:1 at 5, shuffled 3");
    EXPECT_FALSE(Schedule().given());
}

TEST(Schedule, RefusesWhatIsNone) {
    for (const std::string_view text :
         {"", ",", "hold", "hold 0 at 5", "hold 0:1 at 0", "hold 0:1:32 at 5", "hold 0:1:2:3 at 5", "hold 0:1 5",
          "hold 0:1 at 5 #0", "hold 0:1 at 5 2", "hold 0:1 at 5 #2 x", "hold -1:0 at 5", "shuffled", "shuffled x",
          "shuffled 1, shuffled 2", "wait 0:1 at 5", "launch hold 0:1 at 5", "hold 0:1 at 99999999999"})
        EXPECT_FALSE(read_schedule(text)) << text;
}

TEST(Schedule, MakesAWarpWaitBeforeALine) {
    const auto out = [&](const std::string& schedule) {
        return final_of<std::uint32_t>(*under(neighbors, 1, 64, schedule).run(), "out");
    };
    EXPECT_EQ(out("")[32], 32U) << "warps alternate";
    const unsigned mine = line_of(neighbors, "// mine");
    EXPECT_EQ(out("hold 0:0 at " + std::to_string(mine))[32], 0U) << "warp 1 reads before warp 0 writes";
    EXPECT_EQ(out("hold 0:1 at " + std::to_string(mine))[32], 32U);
}

TEST(Schedule, MakesALaneWaitWhileTheRestOfItsWarpGoesOn) {
    const unsigned mine = line_of(neighbors, "// mine");
    const auto trace = under(neighbors, 1, 8, fmt::format("hold 0:0:3 at {}", mine)).run();
    EXPECT_THAT(final_of<std::uint32_t>(*trace, "out"), ElementsAre(0, 1, 2, 3, 0, 5, 6, 7));
    EXPECT_THAT(trace->notes,
                Contains(HasSubstr("block 0, warp 0, lane 3 waited before PTX line " + std::to_string(mine))));
    EXPECT_TRUE(std::ranges::none_of(trace->findings, [](const trace::Finding& finding) {
        return finding.kind == trace::Finding::Kind::barrier_divergence;
    }));
}

TEST(Schedule, IsTheSameWhetherBlocksAreRecorded) {
    const unsigned mine = line_of(neighbors, "// mine");
    for (const std::string& schedule : {fmt::format("hold 1:1:3 at {}", mine), std::string("shuffled 3")}) {
        const auto recorded = under(neighbors, 4, 96, schedule, 4).run(),
                   counted = under(neighbors, 4, 96, schedule, 0).run();
        EXPECT_EQ(final_of<std::uint32_t>(*recorded, "out"), final_of<std::uint32_t>(*counted, "out")) << schedule;
        EXPECT_EQ(recorded->totals().warp_instructions, counted->totals().warp_instructions) << schedule;
    }
}

/// Three times, thread 0 adds 1 to data[0] and thread 32 adds 10, one right after the other: neither is atomic.
const std::string rounds = scheduled_kernel(R"(
mov.u32 %r8, 0;
again:
setp.ne.u32 %p0, %r1, 0;
@%p0 bra other;
ld.volatile.global.u32 %r6, [%d0];
add.u32 %r6, %r6, 1;
st.volatile.global.u32 [%d0], %r6; // one
other:
setp.ne.u32 %p1, %r1, 32;
@%p1 bra next;
ld.volatile.global.u32 %r6, [%d0];
add.u32 %r6, %r6, 10;
st.volatile.global.u32 [%d0], %r6;
next:
bar.sync 0;
add.u32 %r8, %r8, 1;
setp.lt.u32 %p2, %r8, 3;
@%p2 bra again;
)");

TEST(Schedule, NamesOneOfSeveralTimes) {
    const auto data = [&](const std::string& schedule) {
        return final_of<std::uint32_t>(*under(rounds, 1, 64, schedule).run(), "data")[0];
    };
    const unsigned one = line_of(rounds, "// one");
    EXPECT_EQ(data(""), 33U);
    EXPECT_EQ(data(fmt::format("hold 0:0:0 at {}", one)), 3U) << "each addition of 10 is lost";
    EXPECT_THAT(under(rounds, 1, 64, fmt::format("hold 0:0:0 at {}", one)).run()->notes,
                Contains(HasSubstr("(3 times)")));
    EXPECT_THAT(under(rounds, 1, 64, fmt::format("hold 0:0:0 at {} #1", one)).run()->notes,
                Contains(HasSubstr("(1 time)")));
    EXPECT_EQ(data(fmt::format("hold 0:0:0 at {} #3", one)), 23U) << "the last one";
    EXPECT_EQ(data(fmt::format("hold 0:0:0 at {} #4", one)), 33U) << "it comes there three times";
    EXPECT_EQ(data(fmt::format("launch 0 hold 0:0:0 at {}", one)), 3U);
    EXPECT_EQ(data(fmt::format("launch 1 hold 0:0:0 at {}", one)), 33U);
}

/// Block 0 hands a value over by a flag; the ordering stands between the two.
std::string handover(const std::string& ordering) {
    return scheduled_kernel(R"(
setp.ne.u32 %p0, %r0, 0;
@%p0 bra reader;
st.global.u32 [%d0], 41; // value
)" + ordering + R"(
st.volatile.global.u32 [%d0+4], 1;
bra.uni end;
reader:
ld.volatile.global.u32 %r6, [%d0+4];
setp.eq.u32 %p1, %r6, 0;
@%p1 bra reader;
fence.acq_rel.gpu;
ld.global.u32 %r7, [%d0];
st.global.u32 [%d2], %r7;
end:
)");
}

TEST(Schedule, DelaysAStoreUpToTheNextFence) {
    const auto out = [&](const std::string& ptx, const std::string& what) {
        const std::string schedule = fmt::format("{} 0:0:0 at {}", what, line_of(ptx, "// value"));
        return final_of<std::uint32_t>(*under(ptx, 2, 1, schedule).run(), "out")[1];
    };
    EXPECT_EQ(out(handover(""), "hold"), 41U) << "the flag comes after it";
    EXPECT_EQ(out(handover(""), "delay"), 0U) << "the flag is seen first";
    EXPECT_EQ(out(handover("fence.acq_rel.gpu;"), "delay"), 41U);
    EXPECT_EQ(out(handover("membar.gl;"), "delay"), 41U);
}

TEST(Schedule, DelaysNoStoreBeyondTheThreadsOwnAccess) {
    const std::string own = scheduled_kernel(R"(
st.global.u32 [%d0], 5; // value
ld.global.u32 %r6, [%d0];
st.global.u32 [%d2], %r6;
)");
    const auto trace = under(own, 1, 1, fmt::format("delay 0:0:0 at {}", line_of(own, "// value"))).run();
    EXPECT_THAT(final_of<std::uint32_t>(*trace, "out"), ElementsAre(5));
    const std::string changed = scheduled_kernel(R"(
mov.u32 %r6, 5;
st.global.u32 [%d0], %r6; // value
mov.u32 %r6, 7;
st.global.u32 [%d2], %r6;
)");
    const auto kept = under(changed, 1, 1, fmt::format("delay 0:0:0 at {}", line_of(changed, "// value"))).run();
    EXPECT_EQ(final_of<std::uint32_t>(*kept, "data")[0], 5U) << "the value that the register had";
}

TEST(Schedule, CannotStopAKernel) {
    for (const std::string schedule : {"hold 0:0 at 11", "hold 0:0:0 at 11, hold 1:0:0 at 11, hold 1:1 at 12",
                                       "shuffled 1", "shuffled 2, hold 0:0 at 13"}) {
        const auto trace = under(neighbors, 3, 64, schedule).run();
        EXPECT_FALSE(trace->is_cut_short()) << schedule;
        EXPECT_THAT(final_of<std::uint32_t>(*trace, "out"), Each(testing::Ne(99U))) << schedule;
    }
}

TEST(Schedule, SaysWhatNeverApplied) {
    EXPECT_THAT(under(neighbors, 1, 32, "hold 7:0 at 11").run()->notes,
                Contains("Schedule: \"hold 7:0 at 11\" never applied."));
}

TEST(Schedule, ShuffledIsTheSameForTheSameSeed) {
    const auto steps = [&](const std::string& schedule) {
        std::vector<std::uint32_t> warps;
        const auto trace = under(rounds, 2, 128, schedule).run();
        for (const trace::Step& step : trace->steps()) warps.push_back(step.block.value * 4 + step.warp.value);
        return warps;
    };
    EXPECT_EQ(steps("shuffled 5"), steps("shuffled 5"));
    EXPECT_NE(steps("shuffled 5"), steps("shuffled 6"));
}

}  // namespace
}  // namespace lanescope::execute
