// Which accesses of the PTX SASS makes otherwise: of what the tools printed for a kernel of the catalog, and of lines
// made up.
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
    EXPECT_THAT(changed_accesses(listing, module),
                ElementsAre(ChangedAccess{PtxLine{62}, "LDS at 0150 is predicated, the PTX branches"},
                            ChangedAccess{PtxLine{63}, "LDS at 0180 is predicated, the PTX branches"},
                            ChangedAccess{PtxLine{65}, "STS at 01a0 is predicated, the PTX branches"}));
}

TEST(ChangedAccesses, NameMergedOnesAndTheWiderOneThatTookTheirPlace) {
    EXPECT_THAT(said({{.address = 0, .line = PtxLine{6}, .text = "LDS.64 R2, [R4]"}},
                     "ld.shared.u32 %r1, [%rd1];\nld.shared.u32 %r2, [%rd1+4];\n"),
                ElementsAre("6: LDS.64 at 0000 accesses 8 bytes, the PTX 4",
                            "7: the line table names no access: merged, removed, or attributed to another line"));
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

}  // namespace
}  // namespace lanescope::sass
