// Sectors of the built-in kernels: the picture has the same numbers as Counts, and states the effect of coalescing.
#include "analysis/panels/sector_picture.h"

#include "analysis/costs.h"
#include "analysis/panels/access_near.h"
#include "unit/analysis/kernels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace lanescope::analysis {
namespace {

using testing::HasSubstr;

std::optional<SectorPicture> first_of(const BlockView& block, trace::EffectKind kind) {
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        auto picture = sector_picture(block, index);
        if (picture && picture->kind == kind) return picture;
    }
    return std::nullopt;
}

TEST(SectorPicture, HasTheSectorsThatEachStepCounts) {
    for (const char* name : {"reduce/interleaved_modulo", "reduce/strided_index", "scan/double_buffered",
                             "reduce/atomic", "reduce/contiguous_chunks"}) {
        for (const trace::View view : {trace::View::written, trace::View::compiled}) {
            const auto analysis = analysis_of(kernel_run(name, view, 64, iota(64)));
            const BlockView block = analysis->view(0, BlockId(0));
            std::size_t pictures = 0;
            for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
                const StepFacts facts = facts_of(block.trace, block.provenance, block.passes.steps[index]);
                const auto picture = sector_picture(block, index);
                EXPECT_EQ(picture ? picture->requests.size() : 0, facts.sectors) << name << ", step " << index;
                pictures += picture ? 1 : 0;
            }
            EXPECT_GT(pictures, 0U) << name;
        }
    }
}

TEST(SectorPicture, OfACoalescedLoadUsesEveryByte) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", trace::View::compiled, 64, iota(64)));
    const auto picture = first_of(analysis->view(0, BlockId(0)), trace::EffectKind::load);
    ASSERT_TRUE(picture.has_value());
    EXPECT_EQ(picture->requests.size(), 4U);
    EXPECT_EQ(picture->least, 4U);
    EXPECT_EQ(picture->used_bytes, 128U);
    EXPECT_FALSE(picture->excess());
    EXPECT_EQ(picture->array, "in");
    EXPECT_THAT(picture->arithmetic, HasSubstr("all 128 bytes are used"));
}

TEST(SectorPicture, OfOneLaneNamesTheBytesThatAreNotWritten) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", trace::View::compiled, 64, iota(64)));
    const auto picture = first_of(analysis->view(0, BlockId(0)), trace::EffectKind::store);
    ASSERT_TRUE(picture.has_value());
    EXPECT_EQ(picture->requests.size(), 1U);
    EXPECT_FALSE(picture->excess()) << "no fewer would do";
    EXPECT_THAT(picture->arithmetic, HasSubstr("28 of 32 bytes are not written"));
}

TEST(SectorPicture, OfChunksNamesTheBytesThatAreNotUsed) {
    const auto analysis = analysis_of(kernel_run("reduce/contiguous_chunks", trace::View::compiled, 64, iota(512)));
    const auto picture = first_of(analysis->view(0, BlockId(0)), trace::EffectKind::load);
    ASSERT_TRUE(picture.has_value());
    EXPECT_EQ(picture->requests.size(), 32U);
    EXPECT_EQ(picture->least, 4U);
    EXPECT_TRUE(picture->excess());
    EXPECT_THAT(picture->arithmetic, HasSubstr("32 bytes apart: 4 sectors would do; 896 of 1,024 bytes are not used"));
}

TEST(SectorPicture, OfLanesInTwoBuffersHasThoseOfBoth) {
    constexpr const char* ptx = R"(.version 7.5
.target sm_75
.address_size 64
.visible .entry two(.param .u64 in, .param .u64 out)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<7>;
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    selp.b64 %rd3, %rd1, %rd2, %p1;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd3, %rd4;
    ld.global.u32 %r3, [%rd5];
    add.s64 %rd6, %rd2, %rd4;
    st.global.u32 [%rd6], %r3;
    ret;
}
)";
    KernelRun run{.name = "two", .view = trace::View::compiled, .threads = 32, .input = iota(32), .outputs = 32};
    const auto analysis = analysis_of(run, ptx);
    const BlockView block = analysis->view(0, BlockId(0));
    const auto picture = first_of(block, trace::EffectKind::load);
    ASSERT_TRUE(picture.has_value());
    EXPECT_EQ(picture->lanes.count(), 32U);
    EXPECT_EQ(picture->requests.size(), 8U);
    EXPECT_EQ(picture->requests.size(), facts_of(block.trace, block.provenance, picture->step).sectors);
    EXPECT_EQ(picture->array, "") << "there are two";
}

/// The sentence of a load of 4 bytes per lane, at a stride of `scale`, by the lanes for which `predicate` sets %p1.
std::string arithmetic_of(const std::string& predicate, const std::string& scale) {
    const std::string ptx =
        ".version 6.5\n.target sm_75\n.address_size 64\n"
        ".visible .entry kernel(.param .u64 in, .param .u64 out)\n{\n"
        "    .reg .pred %p<2>;\n    .reg .b32 %r<5>;\n    .reg .b64 %rd<5>;\n"
        "    ld.param.u64 %rd1, [in];\n    mov.u32 %r1, %tid.x;\n    mul.wide.u32 %rd2, %r1, " +
        scale + ";\n    add.u64 %rd3, %rd1, %rd2;\n    " + predicate +
        "\n    @%p1 ld.global.u32 %r3, [%rd3];\n    ret;\n}\n";
    KernelRun run;
    run.name = "kernel";
    run.threads = 32;
    run.input = iota(256);
    const auto analysis = analysis_of(run, ptx);
    const auto picture = first_of(analysis->view(0, BlockId(0)), trace::EffectKind::load);
    return picture ? picture->arithmetic : "";
}

TEST(SectorPicture, SpeaksOfNeighborsOnlyWhereNeighborsAreActive) {
    const std::string all = "setp.lt.u32 %p1, %r1, 32;", every_tenth = "rem.u32 %r2, %r1, 10; setp.eq.u32 %p1, %r2, 9;";
    EXPECT_THAT(arithmetic_of(all, "12"), HasSubstr("neighboring lanes 12 bytes apart"));
    EXPECT_THAT(arithmetic_of(every_tenth, "12"), HasSubstr("active lanes 120 bytes apart"));
    EXPECT_THAT(arithmetic_of(every_tenth, "4"), HasSubstr("active lanes 40 bytes apart"));
}

TEST(AccessNear, OfGlobalMemoryPassesOverSharedMemory) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", trace::View::compiled, 64, iota(64)));
    const BlockView block = analysis->view(0, BlockId(0));
    const auto first = access_near(block, 0, WarpId(0), trace::Space::global);
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(sector_picture(block, *first)->kind, trace::EffectKind::load);
    const auto last = access_near(block, block.passes.steps.size(), WarpId(0), trace::Space::global);
    ASSERT_TRUE(last.has_value());
    EXPECT_EQ(sector_picture(block, *last)->kind, trace::EffectKind::store);
    EXPECT_TRUE(launch_accesses(analysis->view(0, BlockId(0)).trace, 0, trace::Space::global));
    EXPECT_FALSE(launch_accesses(analysis->view(0, BlockId(0)).trace, 1, trace::Space::global));
}

TEST(SectorPicture, SumsTheBytesOfItsRowsAndTheRequestsOfItsSectors) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", trace::View::compiled, 64, iota(64)));
    const BlockView block = analysis->view(0, BlockId(0));
    const SectorPicture picture = *sector_picture(block, *access_near(block, 0, WarpId(0), trace::Space::global));
    const std::uint64_t first = picture.pieces.front().address / picture.row_bytes() * picture.row_bytes();
    EXPECT_EQ(picture.use_of_row(first), (SectorPicture::RowUse{.used = 128, .moved = 128})) << "32 ints, side by side";
    EXPECT_EQ(picture.use_of_row(first + picture.row_bytes()), SectorPicture::RowUse{});
    ASSERT_EQ(picture.turns(), 4U);
    for (std::size_t turn = 0; turn < picture.turns(); ++turn) {
        EXPECT_EQ(picture.requests_of(picture.requests[turn].sector), 1U);
        EXPECT_EQ(picture.first_request_of(picture.requests[turn].sector), turn);
        EXPECT_EQ(picture.lanes_of_turn(turn).count(), 8U);
    }
    EXPECT_EQ(picture.requests_of(0), 0U);
    EXPECT_EQ(picture.first_request_of(0), picture.requests.size());
}

}  // namespace
}  // namespace lanescope::analysis
