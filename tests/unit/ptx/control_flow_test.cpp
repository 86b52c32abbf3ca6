#include "support.h"

#include <gmock/gmock.h>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;

/// "instruction -> where it reconverges" of the branches that may diverge.
std::vector<std::pair<unsigned, int>> reconvergences(std::string_view body) {
    const Module module = parsed_kernel(body);
    std::vector<std::pair<unsigned, int>> found;
    const std::vector<Instruction>& instructions = module.functions[0].instructions;
    for (unsigned i = 0; i < instructions.size(); ++i) {
        const bool diverges = instructions[i].guard && instructions[i].opcode == Opcode::bra;
        if (diverges || instructions[i].opcode == Opcode::brx)
            found.emplace_back(i, static_cast<int>(instructions[i].reconvergence));
    }
    return found;
}

constexpr int at_exit = -1;

TEST(ControlFlow, ABranchOverCodeReconvergesAtItsTarget) {
    EXPECT_THAT(reconvergences("@%p1 bra L; mov.u32 %r1, 1; L: ret;"), ElementsAre(std::pair(0U, 2)));
}

TEST(ControlFlow, TheSidesOfAnIfReconvergeAfterIt) {
    EXPECT_THAT(reconvergences("@%p1 bra A; mov.u32 %r1, 1; bra B; A: mov.u32 %r1, 2; B: ret;"),
                ElementsAre(std::pair(0U, 4)));
}

TEST(ControlFlow, ALoopsBackBranchReconvergesAfterTheLoop) {
    EXPECT_THAT(reconvergences("L: add.u32 %r1, %r1, 1; @%p1 bra L; ret;"), ElementsAre(std::pair(1U, 2)));
}

TEST(ControlFlow, AnEarlyReturnLeavesTheRestToReconvergeAtExit) {
    EXPECT_THAT(reconvergences("@%p1 bra A; ret; A: ret;"), ElementsAre(std::pair(0U, at_exit)));
}

TEST(ControlFlow, AGuardedReturnIsAWayToTheExit) {
    EXPECT_THAT(reconvergences("@%p1 bra A; @%p2 ret; A: mov.u32 %r1, 1; ret;"), ElementsAre(std::pair(0U, at_exit)));
    const Module module = parsed_kernel("@%p2 ret; ret;");
    EXPECT_THAT(module.functions[0].blocks[0].successors, ElementsAre(1U));
    EXPECT_EQ(module.functions[0].blocks[0].post_dominator, no_instruction);
}

TEST(ControlFlow, ABranchInAnInfiniteLoopReconvergesInside) {
    EXPECT_THAT(reconvergences("L: @%p1 bra A; mov.u32 %r1, 1; bra B; A: mov.u32 %r1, 2; B: bra L;"),
                ElementsAre(std::pair(0U, 4)));
}

TEST(ControlFlow, ATrapIsAnEnd) {
    EXPECT_THAT(reconvergences("@%p1 bra A; trap; A: ret;"), ElementsAre(std::pair(0U, at_exit)));
}

TEST(ControlFlow, CodeThatNothingReachesIsABlockOfItsOwn) {
    const Module module = parsed_kernel("bra L; mov.u32 %r1, 1; L: ret;");
    ASSERT_EQ(module.functions[0].blocks.size(), 3U);
    EXPECT_THAT(module.functions[0].blocks[0].successors, ElementsAre(2U));
}

TEST(ControlFlow, ATableOfTargetsReconvergesWhereTheyAllMeet) {
    EXPECT_THAT(reconvergences(
                    "T: .branchtargets A, B, A; brx.idx %r1, T; A: mov.u32 %r1, 1; bra C; B: mov.u32 %r1, 2; C: ret;"),
                ElementsAre(std::pair(0U, 4)));
}

TEST(ControlFlow, ABranchToTheVeryEndLeaves) {
    const Module module = parsed_kernel("@%p1 bra L; mov.u32 %r1, 1; L:");
    EXPECT_EQ(module.functions[0].instructions[0].target, 2U);
    EXPECT_EQ(module.functions[0].instructions[0].reconvergence, no_instruction);
}

TEST(ControlFlow, ACallDoesNotEndABlock) {
    const Module module = parsed(
        ".version 9.0\n.target sm_75\n.func f() { ret; }\n.entry k() {\n .reg .b32 %r1;\n call f;\n mov.u32 %r1, 1;\n "
        "ret;\n}\n");
    ASSERT_EQ(module.functions.size(), 2U);
    EXPECT_EQ(module.functions[1].blocks.size(), 1U);
}

TEST(ControlFlow, OfTheSequentialReductionHasTheLoopAndItsIf) {
    const Module module = parsed(read_data("sequential.int.compiled.ptx"));
    const Function& function = module.functions.at(0);
    // Every branch that may diverge meets again before the kernel ends: nothing in it returns early.
    for (const Instruction& instruction : function.instructions) {
        const bool diverges = instruction.opcode == Opcode::bra && instruction.guard.has_value();
        EXPECT_TRUE(!diverges || instruction.reconvergence != no_instruction) << print(module, function, instruction);
    }
}

}  // namespace
}  // namespace lanescope::ptx
