// Memory spaces, widths, generic addresses and atomics.
#include "harness.h"

namespace lanescope::execute {
namespace {

using testing::Each;
using testing::ElementsAre;
using Words = std::vector<std::uint64_t>;

std::shared_ptr<const trace::Trace> run_body(const std::string& body, unsigned threads, const Words& in = {}) {
    Words input = in;
    input.resize(std::max<std::size_t>(in.size(), threads));
    return Kernel(kernel_of(body)).block(threads).buffer("in", input).buffer("out", Words(threads)).run();
}
Words results(const trace::Trace& trace) { return final_of<std::uint64_t>(trace, "out"); }

TEST(Loads, ExtendNarrowValuesToTheirRegister) {
    const Words in{0xFFEE'DDCC'8877'F6F5};
    EXPECT_EQ(results(*run_body("ld.global.u8 %h0, [%in];\nst.global.u16 [%out], %h0;", 1, in))[0], 0xF5U);
    EXPECT_EQ(results(*run_body("ld.global.s8 %h0, [%in];\nst.global.u16 [%out], %h0;", 1, in))[0], 0xFFF5U);
    EXPECT_EQ(results(*run_body("ld.global.s8 %r0, [%in];\nst.global.u32 [%out], %r0;", 1, in))[0], 0xFFFFFFF5U);
    EXPECT_EQ(results(*run_body("ld.global.s16 %d0, [%in+2];\nst.global.u64 [%out], %d0;", 1, in))[0],
              0xFFFFFFFFFFFF8877U);
    EXPECT_EQ(results(*run_body("ld.global.u32 %d0, [%in+4];\nst.global.u64 [%out], %d0;", 1, in))[0], 0xFFEEDDCCU);
    EXPECT_EQ(results(*run_body("ld.global.u64 %d0, [%in];\nst.global.u8 [%out+1], %d0;", 1, in))[0], 0xF500U);
}

TEST(Loads, FillVectorsElementByElement) {
    const auto trace = Kernel(kernel_of(R"(
mul.wide.u32 %d0, %thread, 8;
add.u64 %in, %in, %d0;
ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%in];
add.u32 %r0, %r0, %r1;
add.u32 %r2, %r2, %r3;
st.global.v2.u32 [%out], {%r2, %r0};)"))
                           .block(2)
                           .buffer("in", std::vector<unsigned>{1, 2, 3, 4, 10, 20, 30, 40})
                           .buffer("out", std::vector<unsigned>(4))
                           .run();
    EXPECT_THAT(final_of<unsigned>(*trace, "out"), ElementsAre(7, 3, 70, 30));
}

TEST(Words, OfPartOfAWarpReachNothingBesideThem) {
    // The addresses of the inactive lanes 0 and 31 are before and after the array, where shared memory has nothing.
    const std::string body = R"(
.shared .align 4 .b32 cells[20];
sub.u32 %r0, %thread, 6;
setp.lt.u32 %p0, %r0, 20;
@!%p0 bra $done;
mul.wide.u32 %d0, %r0, 4;
mov.u64 %d1, cells;
add.u64 %d1, %d1, %d0;
add.u32 %r1, %thread, 100;
st.shared.u32 [%d1], %r1;
ld.shared.u32 %r2, [%d1];
cvt.u64.u32 %d2, %r2;
st.global.u64 [%out], %d2;
$done:)";
    for (const std::uint64_t record_blocks : {0U, 1U}) {
        const auto trace = Kernel(kernel_of(body))
                               .block(32)
                               .limits({.record_blocks = record_blocks})
                               .buffer("in", Words(32))
                               .buffer("out", Words(32, 7))
                               .run();
        EXPECT_TRUE(trace->findings.empty());
        for (unsigned lane = 0; lane < 32; ++lane) {
            EXPECT_EQ(results(*trace)[lane], lane >= 6 && lane < 26 ? lane + 100U : 7U) << lane;
        }
        EXPECT_EQ(trace->totals().shared_load_wavefronts, 1U);
        EXPECT_EQ(trace->totals().shared_store_wavefronts, 1U);
    }
}

TEST(GenericAddresses, ReachSharedLocalAndGlobalMemory) {
    const auto trace = run_body(R"(
.shared .align 8 .b64 cells[64];
.local .align 8 .b64 own[2];
mov.u64 %d0, cells;
cvta.shared.u64 %d0, %d0;
mul.wide.u32 %d1, %thread, 8;
add.u64 %d0, %d0, %d1;
mov.u64 %d2, own;
cvta.local.u64 %d2, %d2;
ld.u64 %d3, [%in];
st.u64 [%d0], %d3;
st.u64 [%d2+8], %d3;
bar.warp.sync 0xffffffff;
ld.shared.u64 %d4, [cells];
ld.local.u64 %d5, [own+8];
ld.u64 %d6, [%d0];
isspacep.shared %p0, %d0;
isspacep.global %p1, %in;
isspacep.local %p2, %d2;
and.pred %p0, %p0, %p1;
and.pred %p0, %p0, %p2;
selp.u64 %d7, 1000, 0, %p0;
add.u64 %d5, %d5, %d6;
add.u64 %d5, %d5, %d7;
st.u64 [%out], %d5;)",
                                3, {5, 6, 7});
    EXPECT_TRUE(trace->findings.empty());
    EXPECT_THAT(results(*trace), ElementsAre(1010, 1012, 1014));
    const trace::Counts counts = trace->totals();
    EXPECT_EQ(counts.shared_load_instructions, 2U) << "a generic access counts where it falls";
    EXPECT_EQ(counts.shared_store_instructions, 1U);
    EXPECT_EQ(counts.global_load_instructions, 1U);
    EXPECT_EQ(counts.global_store_instructions, 1U);
}

TEST(GenericAddresses, MayFallInSeveralSpacesAtOnce) {
    const auto trace = run_body(R"(
.shared .align 8 .b64 cell;
mov.u64 %d0, cell;
cvta.shared.u64 %d0, %d0;
mov.b64 %d1, 99;
st.u64 [%d0], %d1;
bar.warp.sync 0xffffffff;
and.b32 %r0, %thread, 1;
setp.eq.u32 %p0, %r0, 0;
selp.u64 %d2, %d0, %in, %p0;
ld.u64 %d3, [%d2];
st.global.u64 [%out], %d3;)",
                                4, {1, 2, 3, 4});
    EXPECT_THAT(results(*trace), ElementsAre(99, 2, 99, 4));
    EXPECT_TRUE(trace->findings.empty());
}

TEST(LocalMemory, IsEachThreadsOwn) {
    const auto trace = run_body(R"(
.local .align 4 .b32 own[8];
and.b32 %r0, %thread, 7;
shl.b32 %r0, %r0, 2;
mov.u64 %d0, own;
cvt.u64.u32 %d1, %r0;
add.u64 %d0, %d0, %d1;
st.local.u32 [%d0], %thread;
bar.sync 0;
ld.local.u32 %d2, [%d0];
st.global.u64 [%out], %d2;)",
                                64);
    Words expected(64);
    for (std::uint64_t i = 0; i < 64; ++i) expected[i] = i;
    EXPECT_EQ(results(*trace), expected);
}

TEST(ModuleVariables, HoldTheirInitialValuesAndKeepWhatIsWritten) {
    const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.const .align 4 .b32 table[4] = {10, 20, 30, 40};
.global .align 4 .u32 counter = 5;
.global .align 8 .u64 place = counter;
.visible .entry test(.param .u64 test_out)
{
.reg .b32 %r<9>;
.reg .b64 %d<9>;
ld.param.u64 %d1, [test_out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %d2, %r1, 4;
mov.u64 %d3, table;
add.u64 %d3, %d3, %d2;
ld.const.u32 %r2, [%d3];
ld.global.u64 %d4, [place];
atom.global.add.u32 %r3, [%d4], 1;
add.u32 %r2, %r2, %r3;
add.u64 %d1, %d1, %d2;
st.global.u32 [%d1], %r2;
ret;
}
)";
    const auto trace = Kernel(text).block(4).buffer("out", std::vector<unsigned>(4)).run();
    EXPECT_THAT(final_of<unsigned>(*trace, "out"), ElementsAre(15, 26, 37, 48));
    EXPECT_THAT(final_of<unsigned>(*trace, "counter"), ElementsAre(9));
    EXPECT_EQ(trace->totals().global_load_instructions, 1U) << "constants have a cache of their own";
}

TEST(Atomics, ActLaneAfterLane) {
    const auto atomics = [](const std::string& operation, std::uint64_t before, unsigned threads = 4) {
        const auto trace = run_body(
            "sub.u64 %in, %in, %offset;\ncvt.u64.u32 %d1, %thread;\n" + operation + "\nst.global.u64 [%out], %d0;",
            threads, {before});
        Words result = results(*trace);
        result.push_back(final_of<std::uint64_t>(*trace, "in")[0]);
        return result;
    };
    EXPECT_THAT(atomics("atom.global.add.u64 %d0, [%in], 2;", 10), ElementsAre(10, 12, 14, 16, 18));
    EXPECT_THAT(atomics("atom.global.max.u64 %d0, [%in], %d1;", 2), ElementsAre(2, 2, 2, 2, 3));
    EXPECT_THAT(atomics("atom.global.min.s64 %d0, [%in], %d1;", ~0ULL, 2), ElementsAre(~0ULL, ~0ULL, ~0ULL));
    EXPECT_THAT(atomics("atom.global.exch.b64 %d0, [%in], %d1;", 7), ElementsAre(7, 0, 1, 2, 3));
    EXPECT_THAT(atomics("atom.global.cas.b64 %d0, [%in], 7, %d1;", 7), ElementsAre(7, 0, 0, 0, 0));
    EXPECT_THAT(atomics("atom.global.or.b64 %d0, [%in], %d1;", 4), ElementsAre(4, 4, 5, 7, 7));
    EXPECT_THAT(atomics("atom.global.inc.u32 %r0, [%in], 5;\ncvt.u64.u32 %d0, %r0;", 4), ElementsAre(4, 5, 0, 1, 2));
    EXPECT_THAT(atomics("atom.global.dec.u32 %r0, [%in], 5;\ncvt.u64.u32 %d0, %r0;", 1), ElementsAre(1, 0, 5, 4, 3));
    EXPECT_THAT(atomics("red.global.add.u64 [%in], 3;\nmov.b64 %d0, 0;", 1), ElementsAre(0, 0, 0, 0, 13));
}

TEST(Atomics, AddFloats) {
    const auto trace = Kernel(kernel_of("sub.u64 %in, %in, %offset;\natom.global.add.f32 %f0, [%in], 0f3FC00000;\n"
                                        "red.global.add.f64 [%in+8], 0d3FE0000000000000;"))
                           .block(4)
                           .buffer("in", std::vector<double>{0.0, 1.0})
                           .buffer("out", std::vector<double>(4))
                           .run();
    float sum = 0;
    std::memcpy(&sum, trace->buffers[0].final.data(), sizeof sum);
    EXPECT_EQ(sum, 6.0F);
    EXPECT_EQ(final_of<double>(*trace, "in")[1], 3.0);
}

TEST(SharedAtomics, CostWhatTheHardwareCounts) {
    const auto wavefronts = [](const std::string& atomic) {
        return run_body(".shared .align 8 .b64 cell;\nmov.u32 %r1, %thread;\n" + atomic, 32)->totals();
    };
    EXPECT_EQ(wavefronts("red.shared.add.u32 [cell], 1;").shared_atomic_wavefronts, 1U) << "a population count";
    EXPECT_EQ(wavefronts("atom.shared.add.u32 %r0, [cell], 1;").shared_atomic_wavefronts, 1U)
        << "the result is not used";
    EXPECT_EQ(wavefronts("atom.shared.add.u32 %r0, [cell], 1;\nst.global.u32 [%out], %r0;").shared_atomic_wavefronts,
              32U);
    EXPECT_EQ(wavefronts("red.shared.add.u32 [cell], 2;").shared_atomic_wavefronts, 32U);
    EXPECT_EQ(wavefronts("red.shared.add.u32 [cell], %r1;").shared_atomic_wavefronts, 32U);
    EXPECT_EQ(wavefronts("atom.shared.cas.b32 %r0, [cell], 0, 1;").shared_atomic_wavefronts, 64U);
    const trace::Counts loop = wavefronts("red.shared.add.f32 [cell], 0f3F800000;");
    EXPECT_EQ(loop.shared_atomic_wavefronts, 64U);
    EXPECT_EQ(loop.shared_load_wavefronts, 32U);
}

TEST(Applications, CountWhatCombinesTwoValuesOfTheInput) {
    const auto operations = [](const std::string& body) { return run_body(body, 4)->totals().operations; };
    const std::string load = "ld.global.u32 %r0, [%in];\nld.global.u32 %r1, [%in+4];\n";
    EXPECT_EQ(operations(load + "add.u32 %r2, %r0, %r1;"), 4U);
    EXPECT_EQ(operations(load + "add.u32 %r2, %r0, %thread;"), 0U) << "an index is no input";
    EXPECT_EQ(operations(load + "mad.lo.u32 %r2, %r0, %r1, %r0;"), 4U) << "one, though it multiplies and adds";
    EXPECT_EQ(operations(load + "mov.u32 %r2, %r0;\nadd.u32 %r3, %r2, %r1;"), 4U);
    EXPECT_EQ(operations(load + "setp.lt.u32 %p0, %r0, %r1;\nselp.u32 %r2, 1, 2, %p0;\nadd.u32 %r3, %r2, %r0;"), 0U)
        << "predicates do not carry on";
    EXPECT_EQ(operations(load + "mov.u32 %r0, 5;\nadd.u32 %r2, %r0, %r1;"), 0U) << "a constant where data was";
    EXPECT_EQ(operations(load + "setp.lt.u32 %p0, %thread, 1;\nselp.u32 %r0, %r0, 7, %p0;\nadd.u32 %r2, %r0, %r1;"), 1U)
        << "of a selection, what was chosen";
    EXPECT_EQ(operations(load + "setp.lt.u32 %p0, %thread, 1;\nselp.u32 %r0, %r0, 7, !%p0;\nadd.u32 %r2, %r0, %r1;"),
              3U);
    EXPECT_EQ(operations(load + "sub.s32 %r3, %thread, 1;\nslct.u32.s32 %r0, %r0, 7, %r3;\nadd.u32 %r2, %r0, %r1;"),
              3U);
    EXPECT_EQ(operations(load + "mul.wide.u32 %d0, %r0, 0;\nadd.u64 %d1, %in, %d0;\nld.global.u32 %r2, [%out];\n"
                                "add.u32 %r3, %r2, %r2;"),
              4U);
    const std::string shared =
        ".shared .align 4 .b32 cell[64];\nmov.u32 %r5, cell;\nshl.b32 %r6, %thread, 2;\n"
        "add.u32 %r5, %r5, %r6;\n";
    EXPECT_EQ(
        operations(shared + load + "st.shared.u32 [%r5], %r0;\nld.shared.u32 %r7, [%r5];\nadd.u32 %r8, %r7, %r1;"), 4U);
    EXPECT_EQ(
        operations(shared + load + "st.shared.u32 [%r5], %thread;\nld.shared.u32 %r7, [%r5];\nadd.u32 %r8, %r7, %r1;"),
        0U);
    EXPECT_EQ(operations(load + "redux.sync.add.u32 %r2, %r0, 0xffffffff;"), 3U);
    EXPECT_EQ(operations(load + "shfl.sync.bfly.b32 %r2, %r0, 1, 0x1f, 0xffffffff;\nadd.u32 %r3, %r2, %r1;"), 4U);
    EXPECT_EQ(operations(shared + load + "red.shared.add.u32 [cell], %r0;"), 3U) << "the first finds no input there";
    EXPECT_EQ(operations(load + "setp.eq.u32 %p0, %thread, 1;\n@%p0 add.u32 %r2, %r0, %r1;"), 1U);
}

}  // namespace
}  // namespace lanescope::execute
