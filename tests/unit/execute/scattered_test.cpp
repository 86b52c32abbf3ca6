// Race checks of words at scattered addresses: the fast check finds the same races as the full one.
#include "harness.h"

#include <fmt/format.h>

#include <random>

namespace lanescope::execute {
namespace {

/// Two warps load and store words of a table at random places, partly with barriers between. The first instruction
/// stores to an unrelated array: a byte store there makes the check for all shared memory the full one. One kernel in
/// four only loads after all stores, and has no race.
std::string random_accesses(unsigned seed, bool by_byte) {
    std::mt19937 random(seed);
    std::string text = ".shared .align 4 .b32 apart[256];\n.shared .align 4 .b32 cells[64];\nmov.u32 %r0, 0;\n";
    text += fmt::format("st.shared.{} [apart], %r0;\n", by_byte ? "u8" : "u32");
    text += "mov.u32 %r1, cells;\nmov.u32 %r2, %thread;\n";
    text += "mul.lo.u32 %r3, %thread, 4;\nadd.u32 %r3, %r3, %r1;\nst.shared.u32 [%r3], %thread;\n";
    const bool sound = seed % 4 == 0;
    if (sound) text += "bar.sync 0;\n";
    for (unsigned i = 0; i < 40; ++i) {
        switch (random() % 8) {
            case 0: text += "bar.sync 0;\n"; break;
            case 1: text += "bar.warp.sync 0xffffffff;\n"; break;
            case 2:  // other places, the same in each run
                text += fmt::format("mad.lo.u32 %r2, %r2, {}, {};\n", 2 * (random() % 512) + 1, random() % 1024);
                break;
            default: {
                const unsigned stride = random() % 4, begin = random() % 64;
                text += fmt::format("mad.lo.u32 %r4, %r2, {}, {};\nand.b32 %r4, %r4, 63;\n", stride, begin);
                text += "mul.lo.u32 %r4, %r4, 4;\nadd.u32 %r4, %r4, %r1;\n";
                text += random() % 3 == 0 && !sound ? "st.shared.u32 [%r4], %r2;\n" : "ld.shared.u32 %r5, [%r4];\n";
                break;
            }
        }
    }
    return text;
}

std::string findings_of(const trace::Trace& trace) {
    std::string text;
    for (const trace::Finding& finding : trace.findings) {
        text += fmt::format("{} x{} lane {} step {}", finding.message, finding.count, finding.lane.value,
                            finding.step.value_or(StepId()).value);
        if (finding.other) text += fmt::format(", other step {}", finding.other->step.value_or(StepId()).value);
        text += '\n';
    }
    return text;
}

TEST(ScatteredWords, HaveTheSameRacesAskedQuicklyOrInFull) {
    unsigned with_races = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        const auto run = [&](bool by_byte) {
            return Kernel(kernel_of(random_accesses(seed, by_byte)))
                .block(64)
                .buffer("in", std::vector<int>(64))
                .buffer("out", std::vector<int>(64))
                .run();
        };
        const std::string quickly = findings_of(*run(false));
        EXPECT_EQ(quickly, findings_of(*run(true))) << "seed " << seed;
        with_races += quickly.empty() ? 0 : 1;
    }
    EXPECT_GT(with_races, 20U);
    EXPECT_LE(with_races, 45U) << "the sound ones have none";
}

}  // namespace
}  // namespace lanescope::execute
