// Divergence, calls, barriers and what works across lanes, in hand-written PTX.
#include "harness.h"

#include "execute/emulator/machine.h"

#include <fmt/format.h>

#include <numeric>

namespace lanescope::execute {
namespace {

using testing::Each;
using testing::ElementsAre;
using Words = std::vector<std::uint64_t>;

/// Runs a body in one block; each thread's result is what it stored to [%out].
std::shared_ptr<const trace::Trace> run_body(const std::string& body, unsigned threads = 32, const Words& in = {}) {
    Words input = in;
    input.resize(std::max<std::size_t>(in.size(), threads));
    return Kernel(kernel_of(body)).block(threads).buffer("in", input).buffer("out", Words(threads)).run();
}
Words results(const trace::Trace& trace) { return final_of<std::uint64_t>(trace, "out"); }

/// The lanes of each execution of the instruction with that text.
std::vector<LaneMask> lanes_at(const trace::Trace& trace, const ptx::Module& module, const std::string& text) {
    std::vector<LaneMask> lanes;
    for (const trace::Step& step : trace.steps()) {
        if (module.text_line(step.line).find(text) != std::string_view::npos) lanes.push_back(step.active);
    }
    return lanes;
}

TEST(Divergence, RunsBothSidesOfAnIfAndMeetsAfterIt) {
    const std::string body = R"(
setp.lt.u32 %p0, %thread, 10;
@%p0 bra THEN;
mov.b64 %d0, 2;
bra JOIN;
THEN:
mov.b64 %d0, 1;
JOIN:
st.global.u64 [%out], %d0;)";
    const auto trace = run_body(body);
    Words expected(32, 2);
    std::fill_n(expected.begin(), 10, 1);
    EXPECT_EQ(results(*trace), expected);
    const ptx::Module module = ptx::parse(kernel_of(body)).value();
    EXPECT_THAT(lanes_at(*trace, module, "mov.b64 %d0, 1"), ElementsAre(LaneMask::first(10)));
    EXPECT_THAT(lanes_at(*trace, module, "mov.b64 %d0, 2"), ElementsAre(~LaneMask::first(10)));
    EXPECT_THAT(lanes_at(*trace, module, "st.global.u64"), ElementsAre(LaneMask::all()));
    EXPECT_EQ(trace->totals().branches, 2U);
    EXPECT_EQ(trace->totals().divergent_branches, 1U);
}

TEST(Divergence, NestsAndMeetsInsideOut) {
    const std::string body = R"(
mov.b64 %d0, 0;
setp.ge.u32 %p0, %thread, 16;
@%p0 bra OUTER;
setp.ge.u32 %p1, %thread, 8;
@%p1 bra INNER;
add.u64 %d0, %d0, 1;
INNER:
add.u64 %d0, %d0, 10;
OUTER:
add.u64 %d0, %d0, 100;
st.global.u64 [%out], %d0;)";
    const auto trace = run_body(body);
    Words expected(32, 100);
    std::fill_n(expected.begin(), 16, 110);
    std::fill_n(expected.begin(), 8, 111);
    EXPECT_EQ(results(*trace), expected);
    const ptx::Module module = ptx::parse(kernel_of(body)).value();
    EXPECT_THAT(lanes_at(*trace, module, "add.u64 %d0, %d0, 10;"), ElementsAre(LaneMask::first(16)));
    EXPECT_THAT(lanes_at(*trace, module, "add.u64 %d0, %d0, 100;"), ElementsAre(LaneMask::all()));
}

TEST(Divergence, RunsALoopAsOftenAsEachLaneWants) {
    const std::string body = R"(
mov.u32 %r0, 0;
mov.u32 %r1, 0;
LOOP:
setp.ge.u32 %p0, %r0, %thread;
@%p0 bra DONE;
add.u32 %r1, %r1, %r0;
add.u32 %r0, %r0, 1;
bra LOOP;
DONE:
cvt.u64.u32 %d0, %r1;
st.global.u64 [%out], %d0;)";
    const auto trace = run_body(body, 40);
    Words expected(40);
    for (std::uint64_t thread = 0; thread < 40; ++thread) expected[thread] = thread * (thread - (thread > 0)) / 2;
    EXPECT_EQ(results(*trace), expected);
    const ptx::Module module = ptx::parse(kernel_of(body)).value();
    const auto stores = lanes_at(*trace, module, "st.global.u64");
    EXPECT_THAT(stores, testing::UnorderedElementsAre(LaneMask::all(), LaneMask::first(8)))
        << "a warp of 32 and one of 8";
}

TEST(Divergence, GoesOnWithoutThreadsThatExited) {
    const std::string body = R"(
setp.gt.u32 %p0, %thread, 20;
@%p0 ret;
bar.sync 0;
mov.b64 %d0, 7;
st.global.u64 [%out], %d0;)";
    const auto trace = run_body(body, 64);
    Words expected(64, 0);
    std::fill_n(expected.begin(), 21, 7);
    EXPECT_EQ(results(*trace), expected);
    EXPECT_TRUE(trace->findings.empty()) << "an early return is no fault";
    EXPECT_EQ(trace->totals().barriers, 1U);
}

TEST(BlockBarrier, OfManyRoundsAreCountedInBoundedMemory) {
    const std::uint32_t rounds = most_epochs + 1000;
    const auto trace = run_body(fmt::format(R"(
mov.u32 %r0, 0;
AGAIN:
bar.sync 0;
add.u32 %r0, %r0, 1;
setp.lt.u32 %p0, %r0, {};
@%p0 bra AGAIN;
cvt.u64.u32 %d0, %r0;
st.global.u64 [%out], %d0;)",
                                            rounds),
                                32);
    EXPECT_EQ(results(*trace), Words(32, rounds));
    EXPECT_EQ(trace->totals().barriers, rounds) << "none is lost";
    ASSERT_EQ(trace->counts.size(), 1U);
    EXPECT_EQ(trace->counts.front().size(), most_epochs);
    EXPECT_THAT(trace->notes, testing::Contains(testing::HasSubstr("is counted as one pass")));
    for (std::size_t i = 0; i < trace->step_count(); ++i)
        ASSERT_LT(trace->step(StepId(static_cast<std::uint32_t>(i))).epoch, most_epochs);
}

TEST(Divergence, TakesAnIndexedBranchToEachTarget) {
    const auto trace = run_body(R"(
and.b32 %r0, %thread, 3;
ts: .branchtargets L0, L1, L2;
min.u32 %r0, %r0, 2;
brx.idx %r0, ts;
L0:
mov.b64 %d0, 100;
bra END;
L1:
mov.b64 %d0, 101;
bra END;
L2:
mov.b64 %d0, 102;
END:
st.global.u64 [%out], %d0;)",
                                8);
    EXPECT_THAT(results(*trace), ElementsAre(100, 101, 102, 102, 100, 101, 102, 102));
}

TEST(Predication, ActsOnSomeLanesAndCountsThem) {
    const auto trace = run_body(R"(
mov.b64 %d0, 5;
setp.eq.u32 %p0, %thread, 3;
@%p0 mov.b64 %d0, 6;
@!%p0 add.u64 %d0, %d0, 10;
setp.eq.u32 %p1, %thread, 99;
@%p1 mov.b64 %d0, 0;
st.global.u64 [%out], %d0;)",
                                8);
    EXPECT_THAT(results(*trace), ElementsAre(15, 15, 15, 6, 15, 15, 15, 15));
    const trace::Counts counts = trace->totals();
    EXPECT_EQ(counts.active_thread_instructions - counts.thread_instructions, 7U + 1 + 8);
    EXPECT_EQ(counts.active_thread_instructions, 8 * (counts.warp_instructions + 1)) << "one was for no lane";
}

TEST(Calls, PassValuesAndComeBackTogether) {
    const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.func (.param .b32 result) twice_or_half(.param .b32 given)
{
.reg .pred %p;
.reg .b32 %r<4>;
ld.param.b32 %r1, [given];
and.b32 %r2, %r1, 1;
setp.eq.u32 %p, %r2, 0;
@%p bra HALF;
shl.b32 %r3, %r1, 1;
st.param.b32 [result], %r3;
ret;
HALF:
shr.u32 %r3, %r1, 1;
st.param.b32 [result], %r3;
ret;
}
.visible .entry test(.param .u64 test_out)
{
.reg .b32 %r<4>;
.reg .b64 %d<4>;
ld.param.u64 %d1, [test_out];
mov.u32 %r1, %tid.x;
{
.param .b32 param0;
st.param.b32 [param0], %r1;
.param .b32 retval0;
call.uni (retval0), twice_or_half, (param0);
ld.param.b32 %r2, [retval0];
}
mul.wide.u32 %d2, %r1, 4;
add.u64 %d1, %d1, %d2;
st.global.u32 [%d1], %r2;
ret;
}
)";
    const auto trace = Kernel(text).block(8).buffer("out", std::vector<unsigned>(8)).run();
    EXPECT_THAT(final_of<unsigned>(*trace, "out"), ElementsAre(0, 2, 1, 6, 2, 10, 3, 14));
    const ptx::Module module = ptx::parse(text).value();
    EXPECT_THAT(lanes_at(*trace, module, "st.global.u32"), ElementsAre(LaneMask::first(8)));
}

TEST(Barriers, MakeStoresOfOtherWarpsVisible) {
    const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry test(.param .u64 test_out)
{
.shared .align 4 .b8 cells[4096];
.reg .b32 %r<10>;
.reg .b64 %d<4>;
ld.param.u64 %d1, [test_out];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %ntid.x;
mov.u32 %r3, cells;
shl.b32 %r4, %r1, 2;
add.u32 %r4, %r3, %r4;
st.shared.u32 [%r4], %r1;
bar.sync 0;
sub.u32 %r5, %r2, %r1;
shl.b32 %r5, %r5, 2;
add.u32 %r5, %r3, %r5;
ld.shared.u32 %r6, [%r5 + -4];
mul.wide.u32 %d2, %r1, 4;
add.u64 %d1, %d1, %d2;
st.global.u32 [%d1], %r6;
ret;
}
)";
    for (const unsigned block : {2U, 31U, 33U, 500U, 1024U}) {
        const auto trace = Kernel(text).block(block).buffer("out", std::vector<unsigned>(block)).run();
        std::vector<unsigned> expected(block);
        std::iota(expected.rbegin(), expected.rend(), 0U);
        EXPECT_EQ(final_of<unsigned>(*trace, "out"), expected) << block;
        ASSERT_EQ(trace->shared_arrays.size(), 1U);
        EXPECT_EQ(trace->shared_arrays[0].name, "cells");
    }
}

TEST(Barriers, ReduceAPredicateOverTheBlock) {
    const auto trace = run_body(R"(
setp.lt.u32 %p0, %thread, 37;
bar.red.popc.u32 %r0, 0, %p0;
bar.red.and.pred %p1, 0, %p0;
bar.red.or.pred %p2, 0, %p0;
selp.u32 %r1, 1000, 0, %p1;
selp.u32 %r2, 2000, 0, %p2;
add.u32 %r0, %r0, %r1;
add.u32 %r0, %r0, %r2;
cvt.u64.u32 %d0, %r0;
st.global.u64 [%out], %d0;)",
                                70);
    EXPECT_THAT(results(*trace), Each(2037U));
}

TEST(Barriers, WithNumbersHoldPartOfABlock) {
    // Warps 0 and 1 meet at barrier 1; warp 2 arrives at barrier 2, for which warp 3 waits.
    const auto trace = run_body(R"(
mov.u32 %r0, %thread;
shr.u32 %r1, %r0, 5;
setp.lt.u32 %p0, %r1, 2;
@%p0 bra PAIR;
setp.eq.u32 %p1, %r1, 2;
@%p1 bra GIVER;
bar.sync 2, 64;
bra END;
GIVER:
bar.arrive 2, 64;
bra END;
PAIR:
bar.sync 1, 64;
END:
mov.b64 %d0, 1;
st.global.u64 [%out], %d0;)",
                                128);
    EXPECT_THAT(results(*trace), Each(1U));
    EXPECT_TRUE(trace->findings.empty());
}

TEST(WarpBarriers, LetDivergedLanesMeet) {
    const std::string body = R"(
.shared .align 8 .b64 cell;
setp.lt.u32 %p0, %thread, 16;
@%p0 bra WRITER;
bar.warp.sync 0xffffffff;
ld.shared.u64 %d0, [cell];
bra END;
WRITER:
mov.b64 %d0, 42;
st.shared.u64 [cell], %d0;
bar.warp.sync 0xffffffff;
END:
st.global.u64 [%out], %d0;)";
    const auto trace = run_body(body);
    EXPECT_THAT(results(*trace), Each(42U)) << "the readers wait for the writers of their warp";
}

TEST(Shuffles, ReadOtherLanes) {
    const auto shuffled = [](const std::string& how, unsigned threads = 32) {
        return results(*run_body("mov.b32 %r0, %thread;\nshfl.sync." + how +
                                     ", 0xffffffff;\nselp.u32 %r2, 100, 0, %p0;\n" +
                                     "add.u32 %r1, %r1, %r2;\ncvt.u64.u32 %d0, %r1;\nst.global.u64 [%out], %d0;",
                                 threads));
    };
    const Words down = shuffled("down.b32 %r1|%p0, %r0, 3, 0x1f");
    const Words up = shuffled("up.b32 %r1|%p0, %r0, 3, 0");
    const Words bfly = shuffled("bfly.b32 %r1|%p0, %r0, 5, 0x1f");
    const Words idx = shuffled("idx.b32 %r1|%p0, %r0, 2, 0x1c1f");
    const Words down8 = shuffled("down.b32 %r1|%p0, %r0, 1, 0x181f");
    for (std::uint64_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(down[lane], lane + 3 < 32 ? 100 + lane + 3 : lane);
        EXPECT_EQ(up[lane], lane >= 3 ? 100 + lane - 3 : lane);
        EXPECT_EQ(bfly[lane], 100 + (lane ^ 5));
        EXPECT_EQ(idx[lane], 100 + (lane & 0x1C) + 2) << "segments of four";
        EXPECT_EQ(down8[lane], lane % 8 < 7 ? 100 + lane + 1 : lane) << "segments of eight";
    }
}

TEST(Shuffles, ReportTheSourceLaneAndLanesWithoutOne) {
    const auto trace = run_body("mov.b32 %r0, %thread;\nshfl.sync.down.b32 %r1, %r0, 4, 0x1f, 0xffffffff;", 8);
    bool recorded = false;
    for (const trace::Step& step : trace->steps()) {
        for (const trace::Effect& effect : trace->effects(step)) {
            if (effect.kind != trace::EffectKind::shuffle) continue;
            recorded = true;
            EXPECT_EQ(trace->after(effect, 1), 5U);
        }
    }
    EXPECT_TRUE(recorded);
    ASSERT_EQ(trace->findings.size(), 1U);
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::shuffle_inactive);
    EXPECT_EQ(trace->findings[0].count, 4U);
    EXPECT_EQ(trace->findings[0].message,
              "block 0, thread 4 shuffles from lane 8 of its warp, which does not execute the shuffle");
}

TEST(Votes, AskTheLanesThatAreThere) {
    const auto vote = [](const std::string& how) {
        return results(*run_body("setp.lt.u32 %p0, %thread, 3;\nvote.sync." + how + ", 0xffffffff;\n" +
                                     "selp.u32 %r0, 1, 0, %p1;\ncvt.u64.u32 %d0, %r0;\nst.global.u64 [%out], %d0;",
                                 5))[0];
    };
    EXPECT_EQ(vote("any.pred %p1, %p0"), 1U);
    EXPECT_EQ(vote("all.pred %p1, %p0"), 0U);
    EXPECT_EQ(vote("all.pred %p1, !%p0"), 0U);
    EXPECT_EQ(vote("uni.pred %p1, %p0"), 0U);
    EXPECT_THAT(results(*run_body("setp.lt.u32 %p0, %thread, 3;\nvote.sync.ballot.b32 %r0, !%p0, 0xffffffff;\n"
                                  "activemask.b32 %r1;\nmov.b64 %d0, {%r0, %r1};\nst.global.u64 [%out], %d0;",
                                  5)),
                Each(0x1F00000018U));
}

TEST(Matches, FindEqualValues) {
    EXPECT_THAT(results(*run_body("rem.u32 %r0, %thread, 3;\nmatch.any.sync.b32 %r1, %r0, 0xffffffff;\n"
                                  "cvt.u64.u32 %d0, %r1;\nst.global.u64 [%out], %d0;",
                                  7)),
                ElementsAre(0b1001001, 0b0010010, 0b0100100, 0b1001001, 0b0010010, 0b0100100, 0b1001001));
    EXPECT_THAT(results(*run_body("mov.b64 %d1, 9;\nmatch.all.sync.b64 %r1|%p0, %d1, 0xffffffff;\n"
                                  "selp.u32 %r2, 100, 0, %p0;\nadd.u32 %r1, %r1, %r2;\n"
                                  "cvt.u64.u32 %d0, %r1;\nst.global.u64 [%out], %d0;",
                                  3)),
                Each(107U));
}

TEST(WarpReductions, CombineAllLanes) {
    const auto reduced = [](const std::string& how) {
        return results(*run_body("sub.u32 %r0, %thread, 2;\nredux.sync." + how + " %r1, %r0, 0xffffffff;\n" +
                                     "cvt.u64.u32 %d0, %r1;\nst.global.u64 [%out], %d0;",
                                 6))[5];
    };
    EXPECT_EQ(reduced("add.s32"), 3U);
    EXPECT_EQ(reduced("min.s32"), 0xFFFFFFFEU);
    EXPECT_EQ(reduced("min.u32"), 0U);
    EXPECT_EQ(reduced("max.u32"), 0xFFFFFFFFU);
    EXPECT_EQ(reduced("xor.b32"), static_cast<std::uint32_t>(-2 ^ -1 ^ 0 ^ 1 ^ 2 ^ 3));
}

TEST(SpecialRegisters, GiveEachThreadItsPlace) {
    const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.visible .entry test(.param .u64 test_out)
{
.reg .b32 %r<20>;
.reg .b64 %d<4>;
ld.param.u64 %d1, [test_out];
mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %tid.z;
mov.u32 %r4, %ntid.x; mov.u32 %r5, %ntid.y; mov.u32 %r6, %ntid.z;
mov.u32 %r7, %ctaid.x; mov.u32 %r8, %ctaid.y; mov.u32 %r9, %nctaid.x;
mov.u32 %r10, %laneid; mov.u32 %r11, %warpid;
mad.lo.u32 %r12, %r3, %r5, %r2;
mad.lo.u32 %r12, %r12, %r4, %r1;
shl.b32 %r13, %r11, 5; add.u32 %r13, %r13, %r10;
sub.u32 %r14, %r12, %r13;
mul.lo.u32 %r15, %r4, %r5; mul.lo.u32 %r15, %r15, %r6;
mad.lo.u32 %r16, %r8, %r9, %r7;
mad.lo.u32 %r17, %r16, %r15, %r12;
mul.wide.u32 %d2, %r17, 4;
add.u64 %d1, %d1, %d2;
add.u32 %r18, %r17, %r14;
st.global.u32 [%d1], %r18;
ret;
}
)";
    const unsigned threads = 6 * 12;
    const auto trace = Kernel(text).grid(3, 2).block(4, 3, 6).buffer("out", std::vector<unsigned>(6 * threads)).run();
    std::vector<unsigned> expected(6 * threads);
    std::iota(expected.begin(), expected.end(), 0U);
    EXPECT_EQ(final_of<unsigned>(*trace, "out"), expected);
}

}  // namespace
}  // namespace lanescope::execute
