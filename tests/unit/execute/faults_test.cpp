// Errors of kernels, and launches that are refused.
#include "harness.h"

#include "trace/cursor.h"

#include <fmt/format.h>

#include <numeric>

namespace lanescope::execute {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::SizeIs;
using trace::Finding;
using Words = std::vector<std::uint64_t>;

Kernel body(const std::string& text, unsigned threads = 32) {
    Kernel kernel(kernel_of(text));
    kernel.block(threads).buffer("in", Words(16, 7)).buffer("out", Words(32));
    return kernel;
}

TEST(OutOfBounds, NamesTheThreadTheElementAndTheBuffer) {
    const auto trace = body("ld.global.u64 %d0, [%in];\nadd.u64 %d0, %d0, 1;\nst.global.u64 [%out], %d0;", 18).run();
    ASSERT_THAT(trace->findings, SizeIs(1));
    const Finding& finding = trace->findings[0];
    EXPECT_EQ(finding.kind, Finding::Kind::out_of_bounds);
    EXPECT_EQ(finding.message, "block 0, thread 16 reads in[16], 1 element past the end of in (16 elements)");
    EXPECT_EQ(finding.count, 2U) << "thread 17, too";
    EXPECT_EQ(finding.variable, "in");
    EXPECT_EQ(finding.block, BlockId(0));
    EXPECT_EQ(finding.warp, WarpId(0));
    EXPECT_EQ(finding.lane, LaneId(16));
    EXPECT_EQ(finding.address, trace->buffers[0].address + 16 * 8);
    ASSERT_TRUE(finding.step.has_value());
    EXPECT_EQ(trace->step(*finding.step).line, finding.line);
    const Words out = final_of<std::uint64_t>(*trace, "out");
    EXPECT_EQ(out[15], 8U);
    EXPECT_EQ(out[16], 1U) << "what is not there reads as 0, and the kernel goes on";
    EXPECT_EQ(out[17], 1U);
}

TEST(OutOfBounds, DropsWhatIsWritten) {
    const auto trace = body("sub.u64 %out, %out, 8;\nst.global.u64 [%out], %offset;", 3).run();
    ASSERT_THAT(trace->findings, SizeIs(1));
    EXPECT_EQ(trace->findings[0].message,
              "block 0, thread 0 writes out[-1], 1 element before the beginning of out (32 elements)");
    EXPECT_THAT(final_of<std::uint64_t>(*trace, "in"), testing::Each(7U));
    EXPECT_EQ(final_of<std::uint64_t>(*trace, "out")[1], 16U);
}

TEST(OutOfBounds, KnowsNullPointersAndNowhere) {
    const auto trace =
        body("mov.b64 %d1, 16;\nld.global.u64 %d0, [%d1];\nmov.b64 %d2, 0x7e0000000000;\nst.u64 [%d2], %d0;", 1).run();
    ASSERT_THAT(trace->findings, SizeIs(2));
    EXPECT_EQ(trace->findings[0].kind, Finding::Kind::null_access);
    EXPECT_EQ(trace->findings[0].message, "block 0, thread 0 reads address 0x10: a null pointer");
    EXPECT_EQ(trace->findings[1].message, "block 0, thread 0 writes address 0x7e0000000000, outside all allocations");
}

TEST(OutOfBounds, WatchesSharedAndLocalMemory) {
    const auto trace = body(R"(
.shared .align 4 .f32 cells[8];
.local .align 4 .b32 own[4];
mul.lo.u32 %r0, %thread, 4;
mov.u32 %r1, cells;
add.u32 %r1, %r1, %r0;
st.shared.u32 [%r1], %thread;
mov.u64 %d0, own;
ld.local.u32 %r2, [%d0 + 16];)",
                            9)
                           .run();
    EXPECT_EQ(trace->findings[0].message,
              "block 0, thread 8 writes cells[8], 1 element past the end of cells (8 elements)");
    EXPECT_EQ(trace->findings[1].message, "block 0, thread 0 reads local memory at bytes 16 to 19");
}

TEST(Misalignment, IsAFault) {
    const auto trace = body("add.u64 %in, %in, 2;\nld.global.u32 %r0, [%in];", 2).run();
    ASSERT_THAT(trace->findings, SizeIs(1));
    EXPECT_EQ(trace->findings[0].kind, Finding::Kind::misaligned);
    EXPECT_EQ(trace->findings[0].count, 2U);
    EXPECT_THAT(trace->findings[0].message, HasSubstr("reads 4 bytes at 0x7f0000000002 of global memory (in[0])"));
}

TEST(Findings, BeyondTheLimitAreCounted) {
    std::string loads = "add.u64 %in, %in, 4096;\n";
    for (unsigned i = 0; i < 7; ++i) loads += "ld.global.u64 %d0, [%in];\n";
    const auto trace = body(loads).limits({.max_findings = 5}).run();
    ASSERT_THAT(trace->findings, SizeIs(6));
    EXPECT_EQ(trace->findings[4].count, 32U) << "what happens again at one line is one finding";
    EXPECT_EQ(trace->findings[5].message, "2 more out-of-bounds findings are not listed");
}

TEST(Findings, KnowTheLineOfTheSource) {
    const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.file 1 "k.cu"
.visible .entry test(.param .u64 test_in)
{
.reg .b64 %d<3>;
ld.param.u64 %d1, [test_in];
.loc 1 12 5
ld.global.u64 %d2, [%d1+800];
ret;
}
)";
    const auto trace = Kernel(text).buffer("in", Words(1)).run();
    ASSERT_THAT(trace->findings, SizeIs(1));
    EXPECT_EQ(trace->findings[0].source_line, 12U);
    EXPECT_EQ(trace->findings[0].line, PtxLine(10));
}

TEST(Deadlock, ListsWhichThreadsWaitWhere) {
    const auto trace = body(R"(
setp.lt.u32 %p0, %thread, 16;
@%p0 bra SKIP;
bar.sync 1;
SKIP:
bar.sync 2;)")
                           .run();
    ASSERT_THAT(trace->findings, SizeIs(2));
    EXPECT_EQ(trace->findings[0].kind, Finding::Kind::barrier_divergence);
    EXPECT_EQ(trace->findings[0].message,
              "block 0: threads 16 to 31 wait in PTX line 23; threads 0 to 15 do not "
              "reach it");
    EXPECT_EQ(trace->findings[1].kind, Finding::Kind::deadlock);
    EXPECT_EQ(trace->findings[1].message,
              "block 0 is deadlocked: threads 16 to 31 wait at barrier 1 in PTX line 23; threads 0 to 15 wait at "
              "barrier 2 in PTX line 25");
}

TEST(Deadlock, OfWarpsAtDifferentBarriersKeepsWhatCameBefore) {
    const auto trace = body(R"(
st.global.u64 [%out], %offset;
setp.lt.u32 %p0, %thread, 32;
@%p0 bra FIRST;
bar.sync 1;
ret;
FIRST:
bar.sync 2;)",
                            64)
                           .run();
    ASSERT_THAT(trace->findings, Contains(Field(&Finding::kind, Finding::Kind::deadlock)));
    EXPECT_EQ(final_of<std::uint64_t>(*trace, "out")[1], 8U);
    EXPECT_FALSE(trace->cancelled);
}

TEST(DivergentBarrier, IsAFindingThoughAllComeThrough) {
    const auto trace = body(R"(
setp.lt.u32 %p0, %thread, 16;
@%p0 bra OTHER;
bar.sync 0;
bra END;
OTHER:
bar.sync 0;
END:
st.global.u64 [%out], %offset;)")
                           .run();
    ASSERT_THAT(trace->findings, SizeIs(1));
    EXPECT_EQ(trace->findings[0].kind, Finding::Kind::barrier_divergence);
    EXPECT_EQ(final_of<std::uint64_t>(*trace, "out")[31], 31U * 8);
}

TEST(Checking, OfAllBlocksFindsWhatTheRecordedOnesDoNotShow) {
    // Only in block 5 lane 0 reads what lane 1 writes.
    const std::string text = R"(
.shared .align 4 .b32 cells[32];
mov.u32 %r0, %ctaid.x;
setp.ne.u32 %p0, %r0, 5;
@%p0 bra END;
mul.lo.u32 %r1, %thread, 4;
mov.u32 %r2, cells;
add.u32 %r2, %r2, %r1;
st.shared.u32 [%r2], %thread;
ld.shared.u32 %r3, [cells+4];
END:)";
    const Kernel kernel = body(text).grid(8);
    EXPECT_TRUE(Kernel(kernel).limits({.record_blocks = 2}).run()->findings.empty());
    EXPECT_TRUE(Kernel(kernel).limits({.record_blocks = 8, .checked = Checked::no_blocks}).run()->findings.empty());
    const auto all = Kernel(kernel).limits({.record_blocks = 2, .checked = Checked::all_blocks}).run();
    ASSERT_THAT(all->findings, SizeIs(1));
    const Finding& race = all->findings[0];
    EXPECT_EQ(race.kind, Finding::Kind::race);
    EXPECT_EQ(race.message,
              "block 5, thread 0 reads cells[1] in PTX line 29 and thread 1 writes it in PTX line 28, without "
              "synchronization between the two threads of a warp");
    EXPECT_EQ(race.block, BlockId(5));
    EXPECT_EQ(race.count, 31U);
    ASSERT_TRUE(race.other.has_value());
    EXPECT_EQ(race.other->lane, LaneId(1));
    EXPECT_EQ(race.other->line, PtxLine(28));
}

TEST(Races, KnowTheStepsOfBothSides) {
    const auto trace = body(R"(
.shared .align 4 .b32 cells[32];
mul.lo.u32 %r1, %thread, 4;
mov.u32 %r2, cells;
add.u32 %r2, %r2, %r1;
st.shared.u32 [%r2], %thread;
ld.shared.u32 %r3, [cells+4];)")
                           .run();
    ASSERT_THAT(trace->findings, SizeIs(1));
    const Finding& race = trace->findings[0];
    ASSERT_TRUE(race.step && race.other && race.other->step);
    EXPECT_EQ(trace->step(*race.step).line, race.line);
    EXPECT_EQ(trace->step(*race.other->step).line, race.other->line);
    EXPECT_LT(race.other->step->value, race.step->value);
}

TEST(StepBudget, StopsALoopAndNamesItAndAccusesNothing) {
    const auto trace = body("LOOP:\nadd.u32 %r0, %r0, 1;\nsetp.ne.u32 %p0, %r0, 0;\n@%p0 bra LOOP;")
                           .limits({.warp_instructions = 1000})
                           .run();
    EXPECT_THAT(trace->findings, SizeIs(0));
    EXPECT_THAT(trace->notes,
                ElementsAre(std::string(trace::Trace::ended_early),
                            "Not known: whether launch 0 ends; step limit of 1,000 warp instructions reached: block 0, "
                            "warp 0 is in the loop of PTX line 23."));
    EXPECT_TRUE(trace->is_cut_short());
    EXPECT_EQ(trace->totals().warp_instructions, 1000U);
}

TEST(Trap, StopsTheKernel) {
    const auto trace = body("setp.eq.u32 %p0, %thread, 5;\n@%p0 trap;\nst.global.u64 [%out], %offset;").run();
    ASSERT_THAT(trace->findings, SizeIs(1));
    EXPECT_EQ(trace->findings[0].kind, Finding::Kind::trap);
    EXPECT_EQ(trace->findings[0].message, "block 0, thread 5 reaches a trap in PTX line 21: the launch is aborted");
    EXPECT_THAT(final_of<std::uint64_t>(*trace, "out"), testing::Each(0U));
}

TEST(Cancelling, ReturnsTheTraceSoFar) {
    const Kernel kernel = body("LOOP:\nbra LOOP;");
    Progress progress;
    progress.cancel();
    const auto trace = emulate(kernel.module(), kernel.program(), {}, progress).value();
    EXPECT_TRUE(trace->cancelled);
    EXPECT_GT(trace->step_count(), 0U);
}

TEST(Race, IsFoundWhereAWarpReadsItsOwnRowShiftedByALane) {
    const auto findings = [](const std::string& between) {
        return body(
                   ".shared .align 4 .b8 s[128];\nmov.u32 %r0, s;\nshl.b32 %r1, %thread, 2;\nadd.u32 %r2, %r0, %r1;\n"
                   "st.shared.u32 [%r2], %thread;\n" +
                   between + "setp.gt.u32 %p0, %thread, 0;\n@%p0 ld.shared.u32 %r3, [%r2+-4];\n")
            .run()
            ->findings;
    };
    EXPECT_THAT(findings(""), ElementsAre(Field(&Finding::kind, Finding::Kind::race)));
    EXPECT_THAT(findings("bar.warp.sync -1;\n"), SizeIs(0));
}

TEST(Determinism, GivesTheSameTraceTwice) {
    const auto run = [] {
        return body("atom.global.add.u64 %d0, [%out], %offset;\nld.global.u64 %d1, [%in];\nst.global.u64 [%out], %d0;")
            .run();
    };
    const auto first = run();
    const auto second = run();
    ASSERT_EQ(first->step_count(), second->step_count());
    EXPECT_EQ(first->counts, second->counts);
    EXPECT_EQ(first->memory_bytes(), second->memory_bytes());
    for (std::size_t i = 0; i < first->step_count(); ++i) {
        const trace::Step& a = first->steps()[i];
        const trace::Step& b = second->steps()[i];
        ASSERT_EQ(a.line, b.line);
        ASSERT_EQ(a.warp, b.warp);
        ASSERT_EQ(a.effect_count, b.effect_count);
        for (std::size_t e = 0; e < a.effect_count; ++e) {
            for (const unsigned lane : first->effects(a)[e].lanes) {
                if (first->effects(a)[e].kind != trace::EffectKind::register_write) continue;
                ASSERT_EQ(first->after(first->effects(a)[e], lane), second->after(second->effects(b)[e], lane));
            }
        }
    }
}

TEST(Recording, HoldsBeforeAndAfter) {
    const auto trace = body("mov.b64 %d0, 5;\nadd.u64 %d0, %d0, %offset;\nst.global.u64 [%out], %d0;", 4).run();
    trace::Cursor cursor(trace);
    bool register_seen = false;
    bool store_seen = false;
    for (const trace::Step& step : trace->steps()) {
        for (const trace::Effect& effect : trace->effects(step)) {
            const RegisterId reg(effect.id);
            if (effect.kind == trace::EffectKind::register_write && trace->registers[reg.index()].name == "%d0" &&
                trace->after(effect, 2) == 21) {
                register_seen = true;
                EXPECT_EQ(cursor.register_value(step.block, step.warp, reg, 2), 5U);
            }
            if (effect.kind == trace::EffectKind::store) {
                store_seen = true;
                EXPECT_EQ(effect.space, trace::Space::global);
                EXPECT_EQ(effect.bytes, 8U);
                EXPECT_EQ(trace->address(effect, 3), trace->buffers[1].address + 24);
                EXPECT_EQ(trace->before(effect, 3), 0U);
                EXPECT_EQ(trace->after(effect, 3), 29U);
            }
        }
        cursor.forward();
    }
    EXPECT_TRUE(register_seen);
    EXPECT_TRUE(store_seen);
}

/// The memory accesses of one warp, as text: line, lanes, and of each lane address, before and after.
std::string accesses_of(const trace::Trace& trace, BlockId block, WarpId warp) {
    std::string text;
    for (const trace::Step& step : trace.steps()) {
        if (step.block != block || step.warp != warp) continue;
        for (const trace::Effect& effect : trace.effects(step)) {
            using enum trace::EffectKind;
            if (effect.kind != load && effect.kind != store && effect.kind != atomic) continue;
            text += fmt::format("line {}:", step.line.value);
            for (const unsigned lane : effect.lanes) {
                text += fmt::format(" {}@{:x} {}->{}", lane, trace.address(effect, lane), trace.before(effect, lane),
                                    trace.after(effect, lane));
            }
            text += '\n';
        }
    }
    return text;
}

TEST(Recording, OfAccessesOnlyHasEveryAccessThatTheFullOneHas) {
    for (const char* name : {"interleaved_modulo.compiled", "interleaved_modulo.written"}) {
        Kernel kernel(ptx_of(name));
        std::vector<int> in(192);
        std::iota(in.begin(), in.end(), 1);
        kernel.grid(2).block(96).shared(96 * sizeof(int)).buffer("in", in).buffer("out", std::vector<int>(2));
        const auto full = Kernel(kernel).run();
        const auto lean = kernel.limits({.record_registers = false}).run();
        EXPECT_EQ(full->detail, trace::Detail::registers);
        EXPECT_EQ(lean->detail, trace::Detail::accesses);
        EXPECT_EQ(lean->counts, full->counts);
        EXPECT_LT(2 * lean->step_count(), full->step_count());
        for (unsigned warp = 0; warp < 6; ++warp) {
            const std::string accesses = accesses_of(*full, BlockId(warp / 3), WarpId(warp % 3));
            EXPECT_FALSE(accesses.empty());
            EXPECT_EQ(accesses_of(*lean, BlockId(warp / 3), WarpId(warp % 3)), accesses);
        }
        for (const trace::Step& step : lean->steps()) {
            for (const trace::Effect& effect : lean->effects(step)) {
                EXPECT_NE(effect.kind, trace::EffectKind::register_write);
            }
        }
    }
}

TEST(Recording, KeepsToItsLimitByRecordingFewerBlocks) {
    Kernel kernel(
        kernel_of("mov.u32 %r0, 0;\nLOOP:\nadd.u32 %r0, %r0, 1;\nsetp.lt.u32 %p0, %r0, 50;\n@%p0 bra LOOP;\n"));
    kernel.grid(8).block(32).buffer("in", Words(32)).buffer("out", Words(32));
    const auto all = Kernel(kernel).run();
    ASSERT_EQ(all->launches[0].recorded.size(), 8U);
    std::uint64_t steps_of_two = 0;
    for (const trace::Step& step : all->steps()) steps_of_two += step.block.value < 2 ? 1 : 0;

    // Between two blocks and three.
    kernel.limits({.record_bytes = 2 * all->memory_bytes() / 7});
    const auto fewer = kernel.run();
    EXPECT_THAT(fewer->launches[0].recorded, ElementsAre(BlockId(0), BlockId(1)));
    EXPECT_EQ(fewer->step_count(), steps_of_two) << "recorded blocks are complete";
    EXPECT_EQ(fewer->counts, all->counts);
}

TEST(ResidentBlocks, LetABlockWaitForAnother) {
    // Block 0 spins until block 1 has written.
    const std::string spin = R"(
sub.u64 %out, %out, %offset;
mov.u32 %r0, %ctaid.x;
setp.eq.u32 %p0, %r0, 1;
@%p0 bra WRITE;
LOOP:
ld.volatile.global.u64 %d0, [%out];
setp.eq.u64 %p1, %d0, 0;
@%p1 bra LOOP;
bra END;
WRITE:
mov.b64 %d1, 9;
st.volatile.global.u64 [%out], %d1;
END:)";
    Kernel kernel(kernel_of(spin));
    kernel.grid(2).block(1).buffer("in", Words(1)).buffer("out", Words(1));
    EXPECT_TRUE(Kernel(kernel).limits({.warp_instructions = 10000}).run()->findings.empty());
    EXPECT_TRUE(Kernel(kernel).limits({.warp_instructions = 10000, .resident_blocks = 1}).run()->findings.empty())
        << "where one alone only spins, another comes";
}

std::string refusal(Kernel& kernel) {
    const auto trace = kernel.try_run();
    return trace ? "launched" : trace.error().what;
}

TEST(LaunchCheck, RefusesWhatCannotBeLaunched) {
    EXPECT_EQ(refusal(body("ret;").block(2048)), "a block of 2,048 threads cannot be launched");
    EXPECT_EQ(refusal(body("ret;").block(32, 0)), "a block of 32 x 0 threads cannot be launched");
    EXPECT_EQ(refusal(body("ret;").grid(0)), "a grid of 0 blocks cannot be launched");
    EXPECT_EQ(refusal(body("ret;").shared(1 << 20)), "a block needs 1,048,576 bytes of shared memory");
    EXPECT_EQ(refusal(body(".shared .align 4 .b8 cells[80000];\nst.shared.u32 [cells], %thread;").grid(1)),
              "the kernel test declares 80,000 bytes of __shared__ arrays; the limit is 49,152 (ptxas: too much shared "
              "data, 0x13880 bytes, 0xc000 max)");
    EXPECT_EQ(refusal(body("ret;").value("n", 1)), "the kernel test takes 2 arguments, and the launch passes 3");
    Kernel narrow(kernel_of("ret;"));
    EXPECT_EQ(refusal(narrow.buffer("in", Words(1)).value("n", 1)), "argument 2 (n) has 4 bytes, the parameter has 8");
    Kernel unknown(kernel_of("ret;"), "other");
    EXPECT_EQ(refusal(unknown), "there is no kernel other");
}

TEST(LaunchCheck, RefusesMoreThreadsThanTheKernelIsCompiledFor) {
    const auto bounded = [](const std::string& directives) {
        std::string text = kernel_of("ret;");
        return text.insert(text.find("\n{") + 1, directives);
    };
    const auto launched = [](const std::string& text, unsigned x, unsigned y) {
        Kernel kernel(text);
        return refusal(kernel.block(x, y).buffer("in", Words(1)).buffer("out", Words(1)));
    };
    const std::string said = "a block of 64 threads cannot be launched";
    EXPECT_EQ(launched(bounded(".maxntid 32, 1, 1\n.minnctapersm 2\n"), 64, 1), said);
    EXPECT_EQ(launched(bounded(".maxnreg 40\n.maxntid 8,4\n"), 16, 4), said);
    EXPECT_EQ(launched(bounded(".maxntid 32\n"), 64, 1), said);
    EXPECT_EQ(launched(bounded(".maxntid 32\n"), 8, 4), "launched");
}

TEST(LaunchCheck, RefusesVariablesThatNoMachineHolds) {
    Kernel kernel(
        ".version 8.0\n.target sm_80\n.address_size 64\n.global .b8 big[2000000000];\n"
        ".visible .entry test()\n{\nret;\n}\n");
    EXPECT_EQ(refusal(kernel), "the variable big has 2,000,000,000 bytes");
}

TEST(LaunchCheck, RefusesWhatCannotBeExecutedByNameAndLine) {
    Kernel kernel(R"(.version 8.0
.target sm_80
.address_size 64
.func callee()
{
exit;
}
.visible .entry test()
{
call callee, ();
ret;
}
)");
    const auto trace = kernel.try_run();
    ASSERT_FALSE(trace.has_value());
    EXPECT_EQ(trace.error().what, "exit is not supported by the emulator: exit inside a called function");
    EXPECT_EQ(trace.error().where.line, 6U);
}

}  // namespace
}  // namespace lanescope::execute
