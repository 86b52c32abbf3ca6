// Every instruction of the opcode table has its own narration.
#include "unit/analysis/hand_made.h"
#include "unit/analysis/kernels.h"

#include "analysis/narration/narrator.h"
#include "places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

namespace lanescope::analysis {
namespace {

using ptx::Opcode;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;

struct Sample {
    Opcode opcode;
    const char* text;         ///< an instruction, or several lines with one of it
    const char* result = "";  ///< the register that it writes
};

// %r1 to %r3, %rd1, %f1 and %f2 come from the input; %p1 from a comparison of it.
constexpr std::array samples = {
    Sample{Opcode::add, "add.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::sub, "sub.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::mul, "mul.lo.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::mad, "mad.lo.s32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::mul24, "mul24.lo.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::mad24, "mad24.lo.s32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::sad, "sad.s32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::div, "div.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::rem, "rem.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::abs, "abs.s32 %r5, %r1;", "%r5"},
    Sample{Opcode::neg, "neg.s32 %r5, %r1;", "%r5"},
    Sample{Opcode::min, "min.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::max, "max.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::popc, "popc.b32 %r5, %r1;", "%r5"},
    Sample{Opcode::clz, "clz.b32 %r5, %r1;", "%r5"},
    Sample{Opcode::bfind, "bfind.u32 %r5, %r1;", "%r5"},
    Sample{Opcode::fns, "fns.b32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::brev, "brev.b32 %r5, %r1;", "%r5"},
    Sample{Opcode::bfe, "bfe.u32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::bfi, "bfi.b32 %r5, %r1, %r2, %r3, 4;", "%r5"},
    Sample{Opcode::szext, "szext.clamp.u32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::bmsk, "bmsk.clamp.b32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::dp4a, "dp4a.u32.u32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::dp2a, "dp2a.lo.u32.u32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::addc, "addc.u32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::subc, "subc.u32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::madc, "madc.lo.u32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::testp, "testp.finite.f32 %p5, %f1;", "%p5"},
    Sample{Opcode::copysign, "copysign.f32 %f5, %f1, %f2;", "%f5"},
    Sample{Opcode::fma, "fma.rn.f32 %f5, %f1, %f2, %f1;", "%f5"},
    Sample{Opcode::rcp, "rcp.rn.f32 %f5, %f1;", "%f5"},
    Sample{Opcode::sqrt, "sqrt.rn.f32 %f5, %f1;", "%f5"},
    Sample{Opcode::rsqrt, "rsqrt.approx.f32 %f5, %f1;", "%f5"},
    Sample{Opcode::sin, "sin.approx.f32 %f5, %f1;", "%f5"},
    Sample{Opcode::cos, "cos.approx.f32 %f5, %f1;", "%f5"},
    Sample{Opcode::lg2, "lg2.approx.f32 %f5, %f1;", "%f5"},
    Sample{Opcode::ex2, "ex2.approx.f32 %f5, %f1;", "%f5"},
    Sample{Opcode::tanh, "tanh.approx.f32 %f5, %f1;", "%f5"},
    Sample{Opcode::set, "set.lt.u32.s32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::setp, "setp.lt.s32 %p5, %r1, %r2;", "%p5"},
    Sample{Opcode::selp, "selp.s32 %r5, %r1, %r2, %p1;", "%r5"},
    Sample{Opcode::slct, "slct.s32.s32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::and_, "and.b32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::or_, "or.b32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::xor_, "xor.b32 %r5, %r1, %r2;", "%r5"},
    Sample{Opcode::not_, "not.b32 %r5, %r1;", "%r5"},
    Sample{Opcode::cnot, "cnot.b32 %r5, %r1;", "%r5"},
    Sample{Opcode::lop3, "lop3.b32 %r5, %r1, %r2, %r3, 30;", "%r5"},
    Sample{Opcode::shf, "shf.l.wrap.b32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::shl, "shl.b32 %r5, %r1, 2;", "%r5"},
    Sample{Opcode::shr, "shr.u32 %r5, %r1, 2;", "%r5"},
    Sample{Opcode::mov, "mov.u32 %r5, %r1;", "%r5"},
    Sample{Opcode::shfl, "shfl.sync.down.b32 %r5, %r1, 1, 31, -1;", "%r5"},
    Sample{Opcode::prmt, "prmt.b32 %r5, %r1, %r2, %r3;", "%r5"},
    Sample{Opcode::ld, "ld.shared.u32 %r5, [s];", "%r5"},
    Sample{Opcode::ldu, "ldu.global.u32 %r5, [%rd0];", "%r5"},
    Sample{Opcode::st, "st.shared.u32 [s], %r1;"},
    Sample{Opcode::tex, "tex.2d.v4.f32.f32 {%f5, _, _, _}, [%rd0, {%f1, %f2}];", "%f5"},
    Sample{Opcode::suld, "suld.b.1d.b32.trap {%r5}, [%rd0, {%r1}];", "%r5"},
    Sample{Opcode::sust, "sust.b.1d.b32.trap [%rd0, {%r2}], {%r1};"},
    Sample{Opcode::prefetch, "prefetch.global.L2 [%rd0];"},
    Sample{Opcode::prefetchu, "prefetchu.L1 [%rd0];"},
    Sample{Opcode::isspacep, "isspacep.shared %p5, %rd0;", "%p5"},
    Sample{Opcode::cvta, "cvta.global.u64 %rd5, %rd0;", "%rd5"},
    Sample{Opcode::cvt, "cvt.rn.f32.s32 %f5, %r1;", "%f5"},
    Sample{Opcode::cp_async, "cp.async.ca.shared.global [s], [%rd0], 4;"},
    Sample{Opcode::cp_async_commit_group, "cp.async.commit_group;"},
    Sample{Opcode::cp_async_wait_group, "cp.async.wait_group 1;"},
    Sample{Opcode::cp_async_wait_all, "cp.async.wait_all;"},
    Sample{Opcode::cp_async_mbarrier_arrive, "cp.async.mbarrier.arrive.b64 [s];"},
    Sample{Opcode::cp_async_mbarrier_arrive_noinc, "cp.async.mbarrier.arrive.noinc.b64 [s];"},
    Sample{Opcode::bra, "bra $there;"},
    Sample{Opcode::brx, "brx.idx %r1, $table;"},
    Sample{Opcode::ret, "ret;"},
    Sample{Opcode::exit, "exit;"},
    Sample{Opcode::bar, "bar.sync 0;"},
    Sample{Opcode::barrier, "barrier.sync 0;"},
    Sample{Opcode::bar_warp_sync, "bar.warp.sync -1;"},
    Sample{Opcode::membar, "membar.gl;"},
    Sample{Opcode::fence, "fence.acq_rel.gpu;"},
    Sample{Opcode::atom, "atom.shared.add.u32 %r5, [s], %r1;", "%r5"},
    Sample{Opcode::red, "red.shared.add.u32 [s], %r1;"},
    Sample{Opcode::vote, "vote.sync.ballot.b32 %r5, %p1, -1;", "%r5"},
    Sample{Opcode::match, "match.any.sync.b32 %r5, %r1, -1;", "%r5"},
    Sample{Opcode::activemask, "activemask.b32 %r5;", "%r5"},
    Sample{Opcode::redux, "redux.sync.add.s32 %r5, %r1, -1;", "%r5"},
    Sample{Opcode::mbarrier_init, "mbarrier.init.shared.b64 [s], 4;"},
    Sample{Opcode::mbarrier_inval, "mbarrier.inval.shared.b64 [s];"},
    Sample{Opcode::mbarrier_arrive, "mbarrier.arrive.shared.b64 %rd5, [s];", "%rd5"},
    Sample{Opcode::mbarrier_arrive_drop, "mbarrier.arrive_drop.shared.b64 %rd5, [s];", "%rd5"},
    Sample{Opcode::mbarrier_test_wait, "mbarrier.test_wait.shared.b64 %p5, [s], %rd1;", "%p5"},
    Sample{Opcode::mbarrier_try_wait, "mbarrier.try_wait.shared.b64 %p5, [s], %rd1;", "%p5"},
    Sample{Opcode::mbarrier_pending_count, "mbarrier.pending_count.b64 %r5, %rd1;", "%r5"},
    Sample{Opcode::nanosleep, "nanosleep.u32 20;"},
    Sample{Opcode::brkpt, "brkpt;"},
    Sample{Opcode::trap, "trap;"},
};

std::string narration_of(const Sample& sample) {
    HandMade made(
        std::string("ld.global.u32 %r1, [%rd0];\nld.global.u32 %r2, [%rd0+16];\nld.global.u32 %r3, [%rd0+32];\n"
                    "ld.global.u64 %rd1, [%rd0+48];\nld.global.f32 %f1, [%rd0+4];\n"
                    "ld.global.f32 %f2, [%rd0+8];\nsetp.lt.s32 %p1, %r1, %r2;\n$table: .branchtargets $there;\n") +
        sample.text + "\n$there:\nst.global.u32 [%rd0+64], %r5;\nret;");
    const auto load = [&](const char* text, const char* reg, unsigned bytes, std::uint64_t at, const Row& values) {
        made.step(text).load(trace::Space::global, bytes, {at, at, at, at}, values).write(reg, values);
    };
    load("ld.global.u32 %r1", "%r1", 4, 0x1000, {100, 100, 100, 100});
    load("ld.global.u32 %r2", "%r2", 4, 0x1010, {104, 104, 104, 104});
    load("ld.global.u32 %r3", "%r3", 4, 0x1020, {108, 108, 108, 108});
    load("ld.global.u64 %rd1", "%rd1", 8, 0x1030, {7, 7, 7, 7});
    load("ld.global.f32 %f1", "%f1", 4, 0x1004, {0x3F800000, 0x3F800000, 0x3F800000, 0x3F800000});
    load("ld.global.f32 %f2", "%f2", 4, 0x1008, {0x40000000, 0x40000000, 0x40000000, 0x40000000});
    made.step("setp.lt.s32 %p1").write("%p1", {1, 1, 1, 1});
    made.step(sample.text);
    const ptx::Group group = ptx::opcode_meanings()[static_cast<std::size_t>(sample.opcode)].group;
    if (group == ptx::Group::load) {
        const std::uint64_t at = sample.opcode == Opcode::ld ? 0 : 0x1000;
        made.load(at == 0 ? trace::Space::shared : trace::Space::global, 4, {at, at, at, at}, {100, 100, 100, 100});
    }
    if (group == ptx::Group::store) made.store(trace::Space::shared, 4, {0, 0, 0, 0}, {100, 100, 100, 100});
    if (group == ptx::Group::atomic) {
        made.atomic(trace::Space::shared, ptx::Atomic::add, {0, 0, 0, 0}, {0, 100, 200, 300}, {100, 200, 300, 400});
    }
    if (sample.opcode == Opcode::shfl) made.shuffle({1, 2, 3, 3});
    if (sample.opcode == Opcode::bar || sample.opcode == Opcode::barrier)
        made.control(trace::EffectKind::barrier, LaneMask::first(4));
    if (*sample.result != '\0') made.write(sample.result, {5, 5, 5, 5});
    const auto trace = made.finish();
    Progress progress;
    const auto analysis = analyze(trace, made.shared_module(), progress);
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    return narrate(analysis->view(passes), 7);
}

TEST(Words, EveryInstructionOfTheTableIsDescribed) {
    std::set<Opcode> seen;
    for (const Sample& sample : samples) {
        seen.insert(sample.opcode);
        SCOPED_TRACE(sample.text);
        const std::string sentence = narration_of(sample);
        EXPECT_FALSE(sentence.empty());
        EXPECT_THAT(sentence, EndsWith("."));
        EXPECT_THAT(sentence, Not(HasSubstr(" run ")));
        EXPECT_THAT(sentence, Not(HasSubstr("a value")));
        EXPECT_THAT(sentence, Not(HasSubstr("discard")));
        EXPECT_THAT(sentence, Not(HasSubstr("{")));
        const std::string_view text = sample.text;
        EXPECT_THAT(sentence, Not(HasSubstr(text.substr(0, text.find(' '))))) << "narrated in words";
        if (std::getenv("LANESCOPE_SHOW_WORDS") != nullptr) printf("%-60s %s\n", sample.text, sentence.c_str());
    }
    for (const ptx::OpcodeInfo& info : ptx::opcode_table()) {
        // How a call is narrated depends on the function: the next test.
        EXPECT_TRUE(info.opcode == Opcode::call || seen.contains(info.opcode)) << info.name << " has no sample here";
    }
}

TEST(Words, ACallNamesItsFunction) {
    std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/unit/analysis/data/maximum.written.ptx");
    std::stringstream text;
    text << file.rdbuf();
    KernelRun run;
    run.name = "maximum";
    const auto analysis = analysis_of(run, text.str());
    EXPECT_THAT(narration_of(*analysis), HasSubstr(" call max."));
}

TEST(Words, WhatComputesHasAPhraseWithItsResult) {
    for (const ptx::OpcodeMeaning& meaning : ptx::opcode_meanings()) {
        const bool computes = meaning.group <= ptx::Group::move;
        const bool of_operands = meaning.phrase.find('{') != std::string_view::npos;
        EXPECT_EQ(computes, of_operands) << ptx::info(meaning.opcode).name;
    }
    EXPECT_EQ(filled("adds {1} to {0} and keeps {r}", {"a", "b"}, "c"), "adds b to a and keeps c");
}

TEST(Words, BeginWithACapitalUnlessTheyAreTheSources) {
    EXPECT_EQ(sentence("lane 3 waits"), "Lane 3 waits.");
    EXPECT_EQ(sentence("lanes 0 to 7 wait"), "Lanes 0 to 7 wait.");
    EXPECT_EQ(sentence("all 32 lanes wait"), "All 32 lanes wait.");
    EXPECT_EQ(sentence("the barrier waits"), "The barrier waits.");
    EXPECT_EQ(sentence("lane == 0 (1 == 0) fails for lane 1"), "lane == 0 (1 == 0) fails for lane 1.");
    EXPECT_EQ(sentence("line < n holds"), "line < n holds.");
}

}  // namespace
}  // namespace lanescope::analysis
