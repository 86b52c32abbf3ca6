// Loops that cannot end are found by their repeated state; loops that end, however late, give no finding.
#include "harness.h"

#include <chrono>
#include <thread>

namespace lanescope::execute {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using trace::Finding;
using Words = std::vector<std::uint64_t>;

Kernel body(const std::string& text, unsigned threads = 32, unsigned blocks = 1) {
    Kernel kernel(kernel_of(text));
    kernel.grid(blocks).block(threads).buffer("in", Words(64, 7)).buffer("out", Words(64));
    return kernel;
}

/// The only finding, which must be of that kind.
Finding only(const trace::Trace& trace, Finding::Kind kind) {
    EXPECT_THAT(trace.findings, SizeIs(1));
    if (trace.findings.empty()) return {};
    EXPECT_EQ(trace.findings[0].kind, kind) << trace.findings[0].message;
    return trace.findings[0];
}

constexpr auto infinite = Finding::Kind::infinite_loop;
constexpr auto deadlock = Finding::Kind::deadlock;

TEST(EndlessLoops, AreFoundWhereAConstantConditionHoldsAndValuesChange) {
    const auto trace = body(
                           "mov.u64 %d0, 0;\nLOOP:\nmov.pred %p0, 0;\n@%p0 bra END;\nadd.u64 %d0, %d0, 1;\n"
                           "rem.u64 %d1, %d0, 8;\nshl.b64 %d1, %d1, 3;\nadd.u64 %d1, %out, %d1;\n"
                           "st.global.u64 [%d1], %d0;\nbra LOOP;\nEND:",
                           1)
                           .run();
    EXPECT_THAT(only(*trace, infinite).message, testing::HasSubstr("forever: no branch leaves it"));
    EXPECT_THAT(trace->launches.front().recorded, SizeIs(1)) << "its rounds can be stepped";
}

TEST(EndlessLoops, AreFoundWhereAnUnsignedNumberIsComparedWithZero) {
    // for (unsigned long i = 7; i >= 0; --i)
    const auto trace = body(
                           "mov.u64 %d0, 7;\nLOOP:\nsetp.ge.u64 %p0, %d0, 0;\nnot.pred %p1, %p0;\n@%p1 bra END;\n"
                           "rem.u64 %d1, %d0, 8;\nshl.b64 %d1, %d1, 3;\nadd.u64 %d1, %out, %d1;\n"
                           "st.global.u64 [%d1], %d0;\nsub.u64 %d0, %d0, 1;\nbra LOOP;\nEND:",
                           1)
                           .run();
    EXPECT_THAT(only(*trace, infinite).message, testing::HasSubstr("forever: no branch leaves it"));
}

TEST(EndlessLoops, ThatCompareASignedNumberWithZeroEnd) {
    const auto trace = body(
                           "mov.u64 %d0, 7;\nLOOP:\nsetp.ge.s64 %p0, %d0, 0;\nnot.pred %p1, %p0;\n@%p1 bra END;\n"
                           "st.global.u64 [%out], %d0;\nsub.u64 %d0, %d0, 1;\nbra LOOP;\nEND:",
                           1)
                           .run();
    EXPECT_THAT(trace->findings, testing::IsEmpty());
}

TEST(EndlessLoops, ThatWaitInsideOneWithoutAnExitAreReportedAsWaiting) {
    const auto trace = body(
                           "ROUND:\nWAIT:\nld.volatile.global.u64 %d0, [%out];\nsetp.eq.u64 %p0, %d0, 0;\n"
                           "@%p0 bra WAIT;\nst.volatile.global.u64 [%out+8], 1;\nbra ROUND;",
                           1)
                           .run();
    EXPECT_THAT(only(*trace, deadlock).message, testing::HasSubstr("waits for out[0], which stays 0"));
}

TEST(EndlessLoops, AreNamedWholeWhereALongLoopWithinThemEnds) {
    const auto trace = body(
                           "mov.u64 %d1, 0;\nROUND:\nmov.u64 %d0, 0;\nINNER:\nadd.u64 %d0, %d0, 1;\n"
                           "st.global.u64 [%out], %d0;\nsetp.lt.u64 %p0, %d0, 3000000;\n@%p0 bra INNER;\n"
                           "add.u64 %d1, %d1, 1;\nst.global.u64 [%out+8], %d1;\nbra ROUND;",
                           1)
                           .run();
    EXPECT_THAT(only(*trace, infinite).message, testing::HasSubstr("forever: no branch leaves it"));
}

TEST(EndlessLoops, AreFoundWhereNothingLeavesThem) {
    const auto trace = body("LOOP:\nst.global.u64 [%out], 5;\nbra LOOP;", 64).run();
    EXPECT_EQ(only(*trace, infinite).message,
              "block 0, thread 0 repeats the loop of PTX line 22 forever: no branch leaves it");
    EXPECT_LT(trace->totals().warp_instructions, 10'000U);
}

TEST(EndlessLoops, AreFoundWithAPeriodOfSeveralRounds) {
    for (const std::string period : {"2", "7", "100"}) {
        const auto trace = body("mov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nrem.u32 %r0, %r0, " + period +
                                ";\nsetp.ne.u32 %p0, %r0, 1000;\n@%p0 bra LOOP;")
                               .run();
        EXPECT_THAT(only(*trace, infinite).message,
                    HasSubstr("its condition in PTX line 25 always has the same value"));
    }
}

TEST(EndlessLoops, OfOneWarpAreFoundWhileOthersWork) {
    const auto trace = body(R"(
setp.lt.u32 %p0, %thread, 32;
mov.u64 %d0, 0;
@%p0 bra LOOP;
WORK:
st.global.u64 [%out], %d0;
add.u64 %d0, %d0, 1;
setp.lt.u64 %p1, %d0, 1000000000;
@%p1 bra WORK;
bra END;
LOOP:
bra LOOP;
END:)",
                            64)
                           .run();
    const Finding finding = only(*trace, infinite);
    EXPECT_EQ(finding.warp, WarpId(0));
    EXPECT_LT(trace->totals().warp_instructions, 100'000U);
}

TEST(EndlessLoops, NameWhatTheyWaitForAndWhatWouldWriteIt) {
    const auto trace = body(R"(
setp.eq.u32 %p0, %thread, 99;
@%p0 st.global.u64 [%out], 1;
LOOP:
ld.global.u64 %d0, [%out];
setp.eq.u64 %p1, %d0, 0;
@%p1 bra LOOP;)",
                            8)
                           .run();
    const Finding finding = only(*trace, deadlock);
    EXPECT_EQ(
        finding.message,
        "block 0, thread 0 repeats the loop of PTX line 26 forever: its condition in PTX line 26 waits for out[0], "
        "which stays 0; PTX line 22 writes out, but no thread has written it");
    EXPECT_EQ(finding.variable, "out");
    ASSERT_TRUE(finding.step.has_value());
    EXPECT_EQ(trace->step(*finding.step).line, finding.line);
}

TEST(EndlessLoops, NameTheBranchThatLeadsPastWhatWouldEndThem) {
    const auto trace = body(R"(
mov.u64 %d0, 0;
LOOP:
setp.ge.u64 %p0, %d0, 4;
@%p0 bra END;
ld.global.u64 %d1, [%out];
setp.eq.u64 %p1, %d1, 0;
@%p1 bra LOOP;
add.u64 %d0, %d0, 1;
bra LOOP;
END:)",
                            1)
                           .run();
    EXPECT_THAT(only(*trace, deadlock).message,
                HasSubstr("its condition in PTX line 27 waits for out[0], which stays 0"));
}

TEST(EndlessLoops, AreNotLeftByABranchOnAConstant) {
    const auto trace = body(R"(
LOOP:
mov.pred %p0, 0;
@%p0 bra END;
bra LOOP;
END:)",
                            1)
                           .run();
    EXPECT_THAT(only(*trace, infinite).message, HasSubstr("no branch leaves it"));
}

TEST(EndlessLoops, NameTheThreadThatWroteLast) {
    const auto trace = body(R"(
sub.u64 %out, %out, %offset;
LOOP:
atom.global.cas.b64 %d0, [%out], 0, 1;
setp.ne.u64 %p1, %d0, 0;
@%p1 bra LOOP;)",
                            1, 2)
                           .run();
    EXPECT_THAT(only(*trace, deadlock).message,
                HasSubstr("waits for out[0], which stays 1; block 0, thread 0 wrote it last, in PTX line 23"));
}

TEST(EndlessLoops, ThroughBarriersAreFound) {
    const auto trace = body(R"(
.shared .align 4 .b32 done;
st.shared.u32 [done], 0;
LOOP:
bar.sync 0;
ld.shared.u32 %r0, [done];
bar.sync 0;
setp.eq.u32 %p1, %r0, 0;
@%p1 bra LOOP;)",
                            96)
                           .run();
    EXPECT_THAT(only(*trace, deadlock).message, HasSubstr("waits for done[0], which stays 0"));
}

TEST(EndlessLoops, OfManyBlocksLetAllOthersRunFirst) {
    // Each block waits for the one after it; the last one writes its own.
    const std::string chain = R"(
sub.u64 %out, %out, %offset;
mov.u32 %r0, %ctaid.x;
mul.wide.u32 %d1, %r0, 8;
add.u64 %out, %out, %d1;
setp.eq.u32 %p0, %r0, 39;
@%p0 bra WRITE;
LOOP:
ld.global.u64 %d0, [%out+8];
setp.eq.u64 %p1, %d0, 0;
@%p1 bra LOOP;
WRITE:
)";
    const Limits no_races{.checked = Checked::no_blocks};
    EXPECT_THAT(body(chain + "st.global.u64 [%out], 1;", 1, 40).limits(no_races).run()->findings, IsEmpty());
    const auto trace = body(chain + "st.global.u64 [%in], 1;", 1, 40).limits(no_races).run();
    EXPECT_THAT(only(*trace, deadlock).message, HasSubstr("38 more warps execute the same loop"));
}

TEST(EndlessLoops, WhoseValuesGoOnChangingAreFound) {
    // for (d = 1; d < 64; d <= 1): the sums in shared memory grow for 2^63 rounds, and the stores with them.
    const auto trace = body(R"(
.shared .align 8 .b64 sums[64];
mov.u32 %r0, 1;
mov.u64 %d0, sums;
mul.wide.u32 %d1, %thread, 8;
add.u64 %d0, %d0, %d1;
st.shared.u64 [%d0], 1;
LOOP:
bar.sync 0;
ld.shared.u64 %d2, [%d0];
add.u64 %d2, %d2, 1;
bar.sync 0;
st.shared.u64 [%d0], %d2;
st.global.u64 [%out], %d2;
setp.lt.u32 %p1, %r0, 64;
@%p1 bra LOOP;)",
                            64)
                           .limits({.checked = Checked::no_blocks})
                           .run();
    EXPECT_THAT(only(*trace, infinite).message, HasSubstr("always has the same value"));
    EXPECT_LT(trace->totals().warp_instructions, 10'000U);
}

TEST(LoopsThatEnd, ByAValueThatTheyWroteThemselvesEnd) {
    const auto by_memory = body(R"(
sub.u64 %out, %out, %offset;
st.global.u64 [%out], 0;
LOOP:
ld.global.u64 %d0, [%out];
add.u64 %d0, %d0, 1;
st.global.u64 [%out], %d0;
setp.lt.u64 %p0, %d0, 5000;
@%p0 bra LOOP;)",
                                1);
    EXPECT_THAT(by_memory.run()->findings, IsEmpty());
    // The flag stays 0 for 5,000 rounds, while only a register changes that decides nothing else.
    const auto by_flag = body(R"(
sub.u64 %out, %out, %offset;
mov.u64 %d1, 0;
st.global.u64 [%out], 0;
LOOP:
add.u64 %d1, %d1, 1;
setp.gt.u64 %p0, %d1, 5000;
selp.b64 %d2, 1, 0, %p0;
st.global.u64 [%out], %d2;
ld.global.u64 %d0, [%out];
setp.eq.u64 %p1, %d0, 0;
@%p1 bra LOOP;)",
                              1);
    EXPECT_THAT(by_flag.run()->findings, IsEmpty());
}

TEST(LoopsThatEnd, ByAValueOfAnotherLaneEnd) {
    const auto trace = body(R"(
mov.u32 %r0, %thread;
LOOP:
shfl.sync.up.b32 %r1, %r0, 1, 0, -1;
setp.ne.u32 %p0, %thread, 0;
@!%p0 add.u32 %r0, %r0, 1;
@%p0 mov.u32 %r0, %r1;
shfl.sync.idx.b32 %r2, %r0, 31, 31, -1;
setp.lt.u32 %p1, %r2, 5000;
@%p1 bra LOOP;)")
                           .run();
    EXPECT_THAT(trace->findings, IsEmpty());
}

TEST(LoopsThatEnd, AtAnAddressOutsideOfMemoryAreNotAccused) {
    // while (true) *out++ = 0: hardware ends it, here the limit does.
    const auto trace = body("LOOP:\nst.global.u64 [%out], 0;\nadd.u64 %out, %out, 8;\nbra LOOP;", 1)
                           .limits({.warp_instructions = 100'000})
                           .run();
    ASSERT_FALSE(trace->findings.empty());
    EXPECT_EQ(trace->findings[0].kind, Finding::Kind::out_of_bounds);
    for (const Finding& finding : trace->findings) EXPECT_NE(finding.kind, infinite) << finding.message;
}

TEST(LoopsThatEnd, AreNotAccused) {
    const auto counts =
        body("mov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 300000;\n@%p0 bra LOOP;");
    EXPECT_THAT(counts.run()->findings, IsEmpty());
    const auto clock = body(R"(
mov.u64 %d0, %clock64;
LOOP:
mov.u64 %d1, %clock64;
sub.u64 %d1, %d1, %d0;
setp.lt.u64 %p0, %d1, 300000;
mov.u64 %d1, 0;
@%p0 bra LOOP;)");
    const auto trace = clock.run();
    EXPECT_THAT(trace->findings, IsEmpty());
    EXPECT_THAT(trace->notes, testing::Contains(HasSubstr("not cycles of a GPU")))
        << "a note says what the clock counts";
}

TEST(LoopsThatEnd, OfLanesThatWaitForOthersOfTheirWarpEnd) {
    // Lane 0 leaves the loop and then writes the value that the others wait for, with plain accesses.
    const auto trace = body(R"(
sub.u64 %out, %out, %offset;
setp.eq.u32 %p0, %thread, 0;
@%p0 bra WRITE;
LOOP:
ld.global.u64 %d0, [%out];
setp.eq.u64 %p1, %d0, 0;
@%p1 bra LOOP;
bra END;
WRITE:
st.global.u64 [%out], 1;
END:)")
                           .run();
    for (const Finding& finding : trace->findings) EXPECT_EQ(finding.kind, Finding::Kind::race) << finding.message;
}

TEST(LoopsThatEnd, BetweenWarpsWithDifferentPaceEnd) {
    // Warp 1 computes for long before it writes the value that warp 0 waits for.
    const auto trace = body(R"(
.shared .align 4 .b32 flag;
mov.u32 %r0, 0;
setp.lt.u32 %p0, %thread, 32;
@%p0 bra WAIT;
WORK:
add.u32 %r0, %r0, 1;
setp.lt.u32 %p1, %r0, 100000;
@%p1 bra WORK;
st.volatile.shared.u32 [flag], 1;
bra END;
WAIT:
ld.volatile.shared.u32 %r1, [flag];
setp.ne.u32 %p1, %r1, 1;
@%p1 bra WAIT;
END:)",
                            64)
                           .limits({.checked = Checked::no_blocks})
                           .run();
    EXPECT_THAT(trace->findings, IsEmpty());
}

TEST(UnchangedMemory, HasABudgetOfItsOwn) {
    const auto trace = body("mov.u64 %d0, 0;\nLOOP:\nadd.u64 %d0, %d0, 1;\nsetp.ge.u64 %p0, %d0, 0;\n@%p0 bra LOOP;")
                           .limits({.unchanged_instructions = 1'000'000})
                           .run();
    EXPECT_THAT(trace->findings, IsEmpty());
    EXPECT_THAT(trace->notes,
                testing::Contains(HasSubstr("step limit of 1,000,000 warp instructions reached; no block ends and no "
                                            "value in memory changes: block 0, warp 0 is in the loop of PTX line 24")));
    EXPECT_LT(trace->totals().warp_instructions, 1'200'000U);
}

TEST(UnchangedMemory, SaysHowFarItsBudgetIs) {
    Progress progress;
    std::string said;
    float share = -1;
    std::jthread watcher([&](const std::stop_token& ended) {
        while (said.empty() && !ended.stop_requested()) {
            if (progress.doing().contains("no block has ended")) {
                share = progress.share();
                said = progress.doing();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        progress.cancel();
    });
    const auto trace = body(
                           "mov.u32 %r1, 1;\nLOOP:\nmad.lo.u32 %r1, %r1, 1664525, 1013904223;\nsetp.ne.u32 %p0, %r1, "
                           "0;\n@%p0 bra LOOP;")
                           .limits({.unchanged_instructions = 400'000'000})
                           .try_run(progress);
    watcher.request_stop();
    watcher.join();
    EXPECT_THAT(said, testing::MatchesRegex("launch 0, test: [0-9.]+ of 268.4 M warp instructions of loops that do not "
                                            "count towards an exit(; no block has ended for [1-9][0-9]* s)?"));
    EXPECT_GT(share, 0) << "of that limit, which moves while no block ends";
}

TEST(UnchangedMemory, IsNotWhatAKernelThatWritesHas) {
    const auto trace = body(
                           "mov.u64 %d0, 0;\nLOOP:\nst.global.u64 [%out], %d0;\nadd.u64 %d0, %d0, 1;\nsetp.lt.u64 %p0, "
                           "%d0, 300000;\n@%p0 bra LOOP;")
                           .limits({.unchanged_instructions = 100'000})
                           .run();
    EXPECT_THAT(trace->findings, IsEmpty());
}

TEST(EndlessLoops, AreFoundWhereTheyCallFunctions) {
    // As written, atomicAdd is a function; this one is called before the loop, too.
    const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.func add_one(.param .b64 to)
{
.reg .pred %q;
.reg .b64 %a<3>;
ld.param.u64 %a1, [to];
ENDLESS
atom.global.add.u64 %a2, [%a1], 1;
ret;
}
.visible .entry test(.param .u64 test_out)
{
.reg .pred %p<2>;
.reg .b64 %d<3>;
ld.param.u64 %d1, [test_out];
CALL
LOOP:
CALL
AFTER
}
)";
    const auto run_with = [&](const std::string& in_function, const std::string& after) {
        std::string whole = text;
        const auto put = [&](const std::string& name, const std::string& with) {
            for (std::size_t at = whole.find(name); at != std::string::npos; at = whole.find(name, at + with.size()))
                whole.replace(at, name.size(), with);
        };
        put("ENDLESS", in_function);
        put("CALL", "{\n.param .b64 to;\nst.param.b64 [to], %d1;\ncall add_one, (to);\n}");
        put("AFTER", after);
        return Kernel(whole).block(64).limits({.record_bytes = 1U << 20U}).buffer("out", Words(1)).run();
    };
    EXPECT_THAT(only(*run_with("", "bra LOOP;"), infinite).message, HasSubstr("forever: no branch leaves it"));
    EXPECT_THAT(only(*run_with("AGAIN:\natom.global.add.u64 %a2, [%a1], 1;\nbra AGAIN;", "ret;"), infinite).message,
                HasSubstr("forever: no branch leaves it"));
    const std::string traps = "atom.global.add.u64 %a2, [%a1], 1;\nsetp.gt.u64 %q, %a2, 1000;\n@%q trap;";
    EXPECT_THAT(only(*run_with(traps, "bra LOOP;"), Finding::Kind::trap).message, HasSubstr("reaches a trap"));
}

/// Runs the text with a limit of 100,000 warp instructions in loops that do not count towards an exit.
std::shared_ptr<const trace::Trace> with_uncounted_limit(const std::string& text) {
    return body(text).limits({.uncounted_instructions = 100'000}).run();
}

TEST(UncountedLoops, EndAtALimitOfTheirOwnWhichIsNoFinding) {
    for (const std::string round : {"mad.lo.u32 %r1, %r1, 1664525, 1013904223;",
                                    "mov.u64 %d1, %clock64;\nadd.u32 %r1, "
                                    "%r1, 1;\nst.global.u32 [%out], %r1;\n"
                                    "cvt.u32.u64 %r1, %d1;\nor.b32 %r1, "
                                    "%r1, 1;"}) {
        const auto trace = with_uncounted_limit("mov.u32 %r1, 1;\nLOOP:\n" + round +
                                                "\nst.global.u32 [%out], %r1;\nsetp.ne.u32 %p0, %r1, 0;\n"
                                                "@%p0 bra LOOP;");
        EXPECT_THAT(trace->findings, IsEmpty());
        EXPECT_THAT(trace->notes, testing::Contains(HasSubstr("step limit of 100,000 warp instructions reached; no "
                                                              "block ends, and loops do not count towards an exit")))
            << round;
        EXPECT_TRUE(trace->is_cut_short());
        EXPECT_LT(trace->totals().warp_instructions, 120'000U);
    }
}

TEST(UncountedLoops, AreNotThoseThatCount) {
    const auto ends = [](const std::string& text) {
        const auto trace = with_uncounted_limit(text);
        EXPECT_GT(trace->totals().warp_instructions, 120'000U) << text;
        return trace->findings.empty() && !trace->is_cut_short();
    };
    EXPECT_TRUE(
        ends("mov.u32 %r1, 0;\nLOOP:\nst.global.u32 [%out], %r1;\nadd.u32 %r1, %r1, 3;\n"
             "setp.lt.u32 %p0, %r1, 300000;\n@%p0 bra LOOP;"));
    // As written: copies, the opposite of the condition, and a bound in memory.
    EXPECT_TRUE(
        ends("mov.u32 %r1, 0;\nLOOP:\nld.global.u32 %r5, [%in];\nmul.lo.u32 %r6, %r5, 5000;\n"
             "setp.lt.u32 %p0, %r1, %r6;\nnot.pred %p1, %p0;\n@%p1 bra END;\nst.global.u32 [%out], %r1;\n"
             "add.u32 %r2, %r1, 1;\nmov.u32 %r1, %r2;\nbra LOOP;\nEND:"));
    // One exit of two, and a loop within that waits for a value of its own.
    EXPECT_TRUE(
        ends("mov.u32 %r1, 0;\nLOOP:\nmov.u32 %r3, 12345;\nINNER:\nmad.lo.u32 %r3, %r3, 5, 7;\n"
             "and.b32 %r4, %r3, 15;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra INNER;\n"
             "st.global.u32 [%out], %r3;\nsetp.eq.u32 %p2, %r3, 77;\n@%p2 bra END;\nadd.u32 %r1, %r1, 1;\n"
             "setp.lt.u32 %p0, %r1, 20000;\n@%p0 bra LOOP;\nEND:"));
}

}  // namespace
}  // namespace lanescope::execute
