// Parsing the output of the tools: data/ has that of ptxas 13.0.88 and nvdisasm 13.5.37 for kernels of the catalog.
#include "sass/listing.h"

#include "base/files.h"
#include "places.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace lanescope::sass {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string data(const std::string& name) {
    return read_file(std::string(LANESCOPE_SOURCE_DIR) + "/tests/unit/sass/data/" + name).value();
}

const Instruction& at(const Function& function, std::uint32_t address) {
    return *std::ranges::find(function.instructions, address, &Instruction::address);
}

TEST(Disassembly, HasEveryInstructionWithItsAddressAndPtxLine) {
    const std::vector<Function> functions = read_disassembly(data("sequential.nvdisasm.txt"));
    ASSERT_EQ(functions.size(), 1U);
    const Function& reduce = functions.front();
    EXPECT_EQ(reduce.name, "_Z6reducePKiPi");
    EXPECT_EQ(reduce.instructions.size(), 0x280U / 16) << "one of 16 bytes at each address up to the padding";
    EXPECT_EQ(reduce.padding, 8U);
    EXPECT_EQ(at(reduce, 0x80),
              (Instruction{.address = 0x80, .line = PtxLine{41}, .text = "LDG.E R2, desc[UR8][R2.64]"}));
    EXPECT_EQ(at(reduce, 0x110).text, "BAR.SYNC.DEFER_BLOCKING 0x0");
    EXPECT_EQ(at(reduce, 0x110).line, PtxLine{47});
}

TEST(Disassembly, KeepsTheLineOfTheInstructionBeforeWhereNoneIsStated) {
    const Function reduce = read_disassembly(data("sequential.nvdisasm.txt")).front();
    // 0x1e0 is @P0 EXIT of line 78; the same line's code goes on without another comment.
    for (const Instruction& instruction : reduce.instructions) EXPECT_TRUE(instruction.line.valid());
}

TEST(Disassembly, HasGuardsAndBranchesThatNameLabels) {
    const Function reduce = read_disassembly(data("sequential.nvdisasm.txt")).front();
    EXPECT_EQ(at(reduce, 0x120).text, "@!P1 BRA .L_x_0");
    EXPECT_EQ(at(reduce, 0x150).text, "@!P1 LDS R2, [R5]");
    EXPECT_THAT(at(reduce, 0x130).labels, ElementsAre(".L_x_1"));
    EXPECT_THAT(at(reduce, 0x1e0).labels, ElementsAre(".L_x_0"));
    EXPECT_THAT(at(reduce, 0x140).labels, IsEmpty());
}

TEST(Disassembly, HasEveryFunctionAlsoThoseThatPtxasAdds) {
    std::vector<std::string> names;
    for (const Function& function : read_disassembly(data("distance.nvdisasm.txt"))) {
        names.push_back(function.name);
        EXPECT_EQ(function.instructions.front().address, 0U) << function.name;
    }
    EXPECT_THAT(names,
                ElementsAre("_Z14sum_of_squaresPKfS0_Pfi", "_Z4rootPf", "__cuda_sm20_sqrt_rn_f32_slowpath", "sqrtf",
                            "__fAtomicAdd", "_ZN48_INTERNAL_95f31225_17_lanescope_main_cu_bfa8311e9atomicAddEPff"));
}

TEST(Disassembly, OfAFunctionWithoutALineTableHasNoLines) {
    const auto functions = read_disassembly(
        "\t.section\t.text.first,\"ax\",@progbits\n"
        "\t//## File \".nv_debug_ptx_txt\", line 7\n"
        "        /*0000*/                   EXIT ;\n"
        "\t.section\t.text.second,\"ax\",@progbits\n"
        "        /*0000*/                   EXIT ;\n");
    ASSERT_EQ(functions.size(), 2U);
    EXPECT_EQ(functions[0].instructions.front().line, PtxLine{7});
    EXPECT_FALSE(functions[1].instructions.front().line.valid()) << "a line belongs to its function";
}

TEST(Disassembly, OfAnythingElseIsEmpty) {
    EXPECT_THAT(read_disassembly(""), IsEmpty());
    EXPECT_THAT(read_disassembly("nvdisasm error   : Unrecognized ELF file\n"), IsEmpty());
}

TEST(ResourceReport, IsByFunction) {
    const auto of = read_resources(data("distance.ptxas.txt"));
    ASSERT_EQ(of.size(), 5U);
    EXPECT_EQ(of.at("_Z14sum_of_squaresPKfS0_Pfi"),
              (Resources{.registers = 24, .barriers = 1, .cumulative_stack_bytes = 24}));
    EXPECT_EQ(of.at("sqrtf"), (Resources{.registers = {},
                                         .stack_bytes = 16,
                                         .cumulative_stack_bytes = {},
                                         .spill_store_bytes = 12,
                                         .spill_load_bytes = 12}));
    EXPECT_EQ(read_resources(data("sequential.ptxas.txt")).at("_Z6reducePKiPi"),
              (Resources{.registers = 10, .barriers = 1, .cumulative_stack_bytes = {}}));
}

TEST(ResourceReport, HasStaticSharedMemory) {
    const auto of = read_resources(
        "ptxas info    : Function properties for k\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 30 registers, used 1 barriers, 8 bytes cumulative stack size, "
        "32 bytes smem\n");
    EXPECT_EQ(of.at("k").static_shared_bytes, 32U);
    EXPECT_EQ(of.at("k").cumulative_stack_bytes, 8U);
}

}  // namespace
}  // namespace lanescope::sass
