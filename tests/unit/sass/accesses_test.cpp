// Accesses of the PTX that SASS changes, in listings of catalog kernels by the tools and in made-up listings.
#include "sass/accesses.h"

#include "base/files.h"
#include "places.h"
#include "ptx/module.h"

#include <gmock/gmock.h>

namespace lanescope::sass {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string file(const std::string& name) { return read_file(std::string(LANESCOPE_SOURCE_DIR) + "/" + name).value(); }

ptx::Module module_of(const std::string& text) {
    auto module = ptx::parse(text);
    EXPECT_TRUE(module.has_value());
    return module ? std::move(*module) : ptx::Module{};
}

std::vector<std::string> said(const std::vector<Instruction>& instructions, const std::string& body) {
    const ptx::Module module = module_of(
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(){\n"
        ".reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<9>;\n" +
        body + "ret;\n}\n");
    Listing listing{.arch = 90, .functions = {{.name = "k", .instructions = instructions}}};
    std::vector<std::string> texts;
    for (const ChangedAccess& access : changed_accesses(listing, module))
        texts.push_back(std::to_string(access.line.value) + ": " + access.what);
    return texts;
}

TEST(ChangedAccesses, OfASmallKernelAreThoseThatBecamePredicated) {
    const ptx::Module module = module_of(file("kernels/reduce/sequential.compiled.ptx"));
    const Listing listing{.arch = 90,
                          .functions = read_disassembly(file("tests/unit/sass/data/sequential.nvdisasm.txt"))};
    EXPECT_THAT(
        changed_accesses(listing, module),
        ElementsAre(
            ChangedAccess{PtxLine{62}, "LDS at 0150 is predicated, the PTX branches", ChangedAccess::Kind::predicated},
            ChangedAccess{PtxLine{63}, "LDS at 0180 is predicated, the PTX branches", ChangedAccess::Kind::predicated},
            ChangedAccess{PtxLine{65}, "STS at 01a0 is predicated, the PTX branches",
                          ChangedAccess::Kind::predicated}));
}

TEST(ChangedAccesses, NameMergedOnesAndTheWiderOneThatTookTheirPlace) {
    EXPECT_THAT(
        said({{.address = 0, .line = PtxLine{7}, .text = "LDS.64 R2, [R4]"}},
             "mov.u64 %rd1, 0;\nld.shared.u32 %r1, [%rd1];\nld.shared.u32 %r2, [%rd1+4];\n"),
        ElementsAre("7: LDS.64 at 0000 accesses 8 bytes, the PTX 4",
                    "8: the line table names no access: LDS.64 at 0000, made for line 7, loads the same bytes"));
}

TEST(ChangedAccesses, NameTheOneThatBothSidesOfABranchShare) {
    EXPECT_THAT(said({{.address = 64, .line = PtxLine{8}, .text = "LDS R2, [R4]"}},
                     "mov.u64 %rd1, 0;\nld.shared.u32 %r1, [%rd1];\nld.shared.u32 %r2, [%rd1];\n"),
                ElementsAre("7: the line table names no access: LDS at 0040, made for line 8, loads the same bytes"));
}

TEST(ChangedAccesses, NameTheNearestOfSeveral) {
    EXPECT_THAT(said({{.address = 16, .line = PtxLine{7}, .text = "LDS R2, [R4]"},
                      {.address = 64, .line = PtxLine{11}, .text = "LDS R2, [R4]"}},
                     "mov.u64 %rd1, 0;\nld.shared.u32 %r1, [%rd1];\nmov.u32 %r4, 1;\nmov.u32 %r4, 2;\n"
                     "ld.shared.u32 %r2, [%rd1];\nld.shared.u32 %r3, [%rd1];\n"),
                ElementsAre("10: the line table names no access: LDS at 0040, made for line 11, loads the same bytes"));
}

TEST(ChangedAccesses, NameNoOtherWhereTheRegisterMayHaveChangedOrTheBytesDiffer) {
    const std::string unknown = ": the line table names no access: merged, removed, or attributed to another line";
    const std::vector<Instruction> one{{.address = 64, .line = PtxLine{8}, .text = "LDS R2, [R4]"}};
    EXPECT_THAT(said(one,
                     "mov.u64 %rd1, 0;\nadd.u64 %rd1, %rd1, 4;\nld.shared.u32 %r1, [%rd1];\n"
                     "ld.shared.u32 %r2, [%rd1];\n"),
                ElementsAre("9" + unknown));
    EXPECT_THAT(said(one, "mov.u64 %rd1, 0;\nld.shared.u32 %r1, [%rd1+4];\nld.shared.u32 %r2, [%rd1];\n"),
                ElementsAre("7" + unknown));
    EXPECT_THAT(said(one, "mov.u64 %rd1, 0;\nst.shared.u32 [%rd1], %r2;\nld.shared.u32 %r2, [%rd1];\n"),
                ElementsAre("7" + unknown));
}

TEST(ChangedAccesses, AreNoneWhereWidthsAndGuardsAreThePtxs) {
    EXPECT_THAT(said({{.address = 0, .line = PtxLine{6}, .text = "@P0 LDG.E.128.CONSTANT R4, desc[UR4][R2.64]"},
                      {.address = 16, .line = PtxLine{7}, .text = "STG.E.U8 desc[UR4][R2.64], R4"},
                      {.address = 32, .line = PtxLine{8}, .text = "RED.E.ADD.64.STRONG.GPU desc[UR4][R2.64], R4"}},
                     "@%p1 ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];\nst.global.u8 [%rd1], %r1;\n"
                     "atom.global.add.u64 %rd2, [%rd1], %rd3;\n"),
                IsEmpty());
}

TEST(ChangedAccesses, DoNotTakeAnAccessThatNeverExecutesForOne) {
    EXPECT_THAT(said({{.address = 0, .line = PtxLine{6}, .text = "@!PT LDS RZ, [RZ]"}}, "ld.shared.u32 %r1, [%rd1];\n"),
                ElementsAre("6: the line table names no access: merged, removed, or attributed to another line"));
}

/// A kernel whose helper's atomic is called in a loop, and a load in a loop within another.
Listing loops() {
    return {
        .arch = 90,
        .functions = {
            {.name = "kernel",
             .instructions = {{.address = 0x00, .text = "MOV R4, R4", .labels = {".L_x_1"}},
                              {.address = 0x10, .text = "LDG.E.STRONG.SYS R0, desc[UR4][R2.64]", .labels = {".L_x_2"}},
                              {.address = 0x20, .text = "@P0 BRA `(.L_x_2)"},
                              {.address = 0x30, .text = "CALL.ABS.NOINC wrapper"},
                              {.address = 0x40, .text = "@!P1 BRA .L_x_1"},
                              {.address = 0x50, .text = "ST.E desc[UR4][R2.64], R0"},
                              {.address = 0x60, .text = "BRA .L_x_9", .labels = {".L_x_9"}}}},
            {.name = "wrapper", .instructions = {{.address = 0x00, .text = "CALL.REL.NOINC `(helper)"}}},
            {.name = "helper",
             .instructions = {{.address = 0x90, .text = "@P2 ATOM.E.ADD.STRONG.GPU PT, R4, desc[UR4][R4.64], R6"}}}}};
}

TEST(Accesses, OfAListingSayWhetherTheyAreGenericStrongAndPredicated) {
    const std::vector<Access> all = accesses(loops());
    ASSERT_EQ(all.size(), 3U);
    EXPECT_FALSE(all[0].generic || all[0].atomic || all[0].predicated);
    EXPECT_TRUE(all[0].strong);
    EXPECT_TRUE(all[1].generic);
    EXPECT_FALSE(all[1].strong);
    EXPECT_TRUE(all[2].generic && all[2].atomic && all[2].predicated);
    EXPECT_EQ(all[2].function, "helper");
    EXPECT_EQ(all[2].opcode, "ATOM.E.ADD.STRONG.GPU");
}

TEST(LoopAround, IsTheInnermostOneAndTheCallersWhereTheFunctionHasNone) {
    const Listing listing = loops();
    const std::vector<Access> all = accesses(listing);
    EXPECT_EQ(loop_around(listing, all[0]), (Loop{"kernel", 0x10, 0x20}));
    EXPECT_EQ(loop_around(listing, all[1]), std::nullopt);
    EXPECT_EQ(loop_around(listing, all[2]), (Loop{"kernel", 0x00, 0x40}));
}

TEST(LoopAround, EndsWhereFunctionsCallEachOther) {
    const Listing listing{.arch = 90,
                          .functions = {{.name = "f",
                                         .instructions = {{.address = 0, .text = "LDS R0, [R1]"},
                                                          {.address = 16, .text = "CALL.REL.NOINC `(f)"}}}}};
    EXPECT_EQ(loop_around(listing, accesses(listing).front()), std::nullopt);
}

}  // namespace
}  // namespace lanescope::sass
