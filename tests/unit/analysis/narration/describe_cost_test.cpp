// The narration of a memory access that costs more than the minimum begins with its cost, in numbers.
#include "analysis/narration/narration.h"

#include "unit/analysis/kernels.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace lanescope::analysis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The narration of a kernel of one warp that executes `body`, and then stores %r5, of lane 31 as the last one. In it,
/// %rd1: the address of in; %rd5 and %rd4: those of in[tid] and in[8 tid]; %r3 and %r2: the same of sdata, whose own
/// address is %r4; %r1: tid; %p1: tid > 15.
std::string narration_of(const std::string& body) {
    const std::string ptx = fmt::format(R"(.version 6.5
.target sm_75
.address_size 64
.extern .shared .align 16 .b8 sdata[];
.visible .entry kernel(.param .u64 in, .param .u64 out)
{{
    .reg .pred %p<2>;
    .reg .b32 %r<9>;
    .reg .b64 %rd<9>;
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r4, sdata;
    shl.b32 %r2, %r1, 5;
    shl.b32 %r3, %r1, 2;
    cvt.u64.u32 %rd4, %r2;
    cvt.u64.u32 %rd5, %r3;
    add.u64 %rd4, %rd4, %rd1;
    add.u64 %rd5, %rd5, %rd1;
    add.u32 %r2, %r2, %r4;
    add.u32 %r3, %r3, %r4;
    setp.gt.u32 %p1, %r1, 15;
    {}
    st.global.u32 [%rd2], %r5;
    ret;
}}
)",
                                        body);
    KernelRun run;
    run.name = "kernel";
    run.threads = 32;
    run.input = iota(256);
    run.shared_elements = 512;
    return narration_of(*analysis_of(run, ptx));
}

TEST(CostOfAStep, IsTheWordsOfEachBankWhereTheyExplainTheWavefronts) {
    EXPECT_THAT(narration_of("st.shared.u32 [%r2], %r1;\n ld.shared.u32 %r5, [%r2];"),
                AllOf(HasSubstr("8 wavefronts: 4 banks, 8 words in each. Lane 31 writes"),
                      HasSubstr("8 wavefronts: 4 banks, 8 words in each. Lane 31 reads")));
    EXPECT_THAT(narration_of("st.shared.u32 [%r3], %r1;\n ld.shared.u32 %r5, [%r3];"), Not(HasSubstr("wavefront")));
    // All lanes in bank 0: 128 bytes apart.
    EXPECT_THAT(narration_of("and.b32 %r6, %r1, 3;\n shl.b32 %r6, %r6, 7;\n add.u32 %r6, %r6, %r4;\n"
                             "st.shared.u32 [%r6], %r1;\n ld.shared.u32 %r5, [%r6];"),
                HasSubstr("4 wavefronts: 4 words in bank 0. "));
    // Banks 0 to 3 have two words, the others one.
    EXPECT_THAT(narration_of("setp.lt.u32 %p1, %r1, 28;\n selp.u32 %r6, 0, 16, %p1;\n add.u32 %r6, %r6, %r3;\n"
                             "st.shared.u32 [%r6], %r1;\n ld.shared.u32 %r5, [%r6];"),
                HasSubstr("2 wavefronts: 2 words in each of 4 banks. "));
}

TEST(CostOfAStep, IsComparedWithTheLeastWhereLanesAreServedInGroups) {
    // 8 bytes a lane, all in one bank pair: halves of the warp are served one after the other.
    EXPECT_THAT(narration_of("cvt.u64.u32 %rd6, %r1;\n shl.b32 %r6, %r1, 6;\n add.u32 %r6, %r6, %r4;\n"
                             "st.shared.u64 [%r6], %rd6;\n ld.shared.u32 %r5, [%r6];"),
                HasSubstr(" wavefronts where 2 would do. Lane 31 writes"));
}

TEST(CostOfAStep, OfGlobalMemoryIsItsSectorsBeyondTheLeast) {
    EXPECT_THAT(narration_of("ld.global.u32 %r5, [%rd4];"),
                HasSubstr("32 sectors where 4 would do. Lane 31 reads in[248] = 249"));
    EXPECT_THAT(narration_of("ld.global.u32 %r5, [%rd5];"), Not(HasSubstr("sector")));
    EXPECT_THAT(narration_of("ld.global.u32 %r5, [%rd5 + 4];"),
                HasSubstr("5 sectors where 4 would do. Lane 31 reads in[32]"));
    EXPECT_THAT(narration_of("ld.global.u32 %r5, [%rd1];"), Not(HasSubstr("sector"))) << "one word for all lanes";
}

TEST(CostOfAStep, OfAnAtomicNamesTheAddressAtWhichMostLanesMeet) {
    EXPECT_THAT(narration_of("atom.shared.add.u32 %r5, [%r4], 1;"),
                HasSubstr("32 wavefronts where 1 would do: 32 lanes meet at sdata[0]. "));
    EXPECT_THAT(narration_of("atom.shared.add.u32 %r5, [%r3], 1;"), Not(HasSubstr("meet")));
    EXPECT_THAT(narration_of("red.global.add.u32 [%rd1], 1;\n mov.u32 %r5, 0;"), HasSubstr("32 lanes meet at in[0]. "));
    EXPECT_THAT(narration_of("and.b32 %r6, %r3, 15;\n add.u32 %r6, %r6, %r4;\n atom.shared.add.u32 %r5, [%r6], 1;"),
                HasSubstr(": 8 lanes meet at each of 4 addresses. "));
}

TEST(CostOfAStep, OfAnAtomicIsTheLanesOfABankAtWhateverAddresses) {
    // The address from the byte offset in %r6.
    const auto add = [](const std::string& offset) {
        return narration_of(offset + "add.u32 %r6, %r6, %r4;\n atom.shared.add.u32 %r5, [%r6], %r1;");
    };
    EXPECT_THAT(add("and.b32 %r6, %r1, 15;\n shl.b32 %r6, %r6, 7;\n"),
                HasSubstr("32 wavefronts where 1 would do: 32 lanes in bank 0: 2 at each of 16 addresses. "));
    // Lanes 0 to 7 at sdata[5], lanes 8 to 11 at sdata[37], each other one in a bank of its own.
    EXPECT_THAT(add("shl.b32 %r6, %r1, 2;\n setp.lt.u32 %p1, %r1, 12;\n selp.u32 %r6, 148, %r6, %p1;\n"
                    "setp.lt.u32 %p1, %r1, 8;\n selp.u32 %r6, 20, %r6, %p1;\n"),
                HasSubstr("12 wavefronts where 1 would do: 12 lanes in bank 5: 8 at sdata[5], 4 at sdata[37]. "));
    // Lanes 28 to 31 have another address in a bank that a lower lane uses, too.
    EXPECT_THAT(add("shl.b32 %r6, %r1, 2;\n setp.lt.u32 %p1, %r1, 28;\n selp.u32 %r5, 0, 16, %p1;\n"
                    "add.u32 %r6, %r6, %r5;\n"),
                HasSubstr("2 wavefronts where 1 would do: 2 lanes in each of 4 banks. "));
    EXPECT_THAT(narration_of("setp.gt.u32 %p1, %r1, 27;\n mov.u32 %r5, 0;\n shl.b32 %r6, %r1, 7;\n"
                             "add.u32 %r6, %r6, %r4;\n sub.u32 %r6, %r6, 3584;\n @%p1 red.shared.add.u32 [%r6], %r1;"),
                HasSubstr("4 wavefronts where 1 would do: 4 lanes in bank 0, each at its own address. "));
}

TEST(CostOfAStep, OfACountOfLanesIsTheWordsOfABank) {
    EXPECT_THAT(narration_of("and.b32 %r6, %r1, 3;\n shl.b32 %r6, %r6, 7;\n add.u32 %r6, %r6, %r4;\n"
                             "mov.u32 %r5, 0;\n red.shared.add.u32 [%r6], 1;"),
                HasSubstr("4 wavefronts: 4 words in bank 0; 8 lanes meet at each of 4 addresses. "));
}

TEST(CostOfAStep, IsFollowedByTheLanesThatDoNotExecuteIt) {
    EXPECT_THAT(
        narration_of("mov.u32 %r5, 0;\n @%p1 ld.global.u32 %r5, [%rd4];"),
        HasSubstr("16 sectors where 2 would do. Lanes 0 to 15 are predicated off. Lane 31 reads in[248] = 249"));
}

TEST(AddressOfLocalMemory, IsTheStackFrameWhichHasNoNameInTheSource) {
    const std::string said = narration_of(R"(.local .align 4 .b8 __local_depot0[16];
    mov.u64 %rd3, __local_depot0;
    mov.u32 %r5, %r1;)");
    EXPECT_THAT(said, HasSubstr("take the address of their stack frame"));
    EXPECT_THAT(said, Not(HasSubstr("depot")));
}

}  // namespace
}  // namespace lanescope::analysis
