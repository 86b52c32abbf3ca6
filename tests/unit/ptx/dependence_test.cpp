#include "support.h"

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

/// "data: %r1 | address: %rd1 | writes: %r2" of a body's first instruction.
std::string flow(std::string_view body) {
    const Module module = parsed_kernel(body);
    const Function& function = module.functions[0];
    const Instruction& instruction = function.instructions.at(0);
    const Uses uses = uses_of(function, instruction);
    return fmt::format("data: {} | address: {} | writes: {}", names(function, uses.data), names(function, uses.address),
                       names(function, definitions_of(function, instruction)));
}

TEST(Dependence, OfArithmeticIsData) {
    EXPECT_EQ(flow("add.u32 %r1, %r2, %r3;"), "data: %r2 %r3 | address:  | writes: %r1");
    EXPECT_EQ(flow("mad.lo.s32 %r1, %r2, 4, %r3;"), "data: %r2 %r3 | address:  | writes: %r1");
    EXPECT_EQ(flow("mov.u32 %r1, %tid.x;"), "data:  | address:  | writes: %r1");
}

TEST(Dependence, OfALoadIsItsAddress) {
    EXPECT_EQ(flow("ld.shared.u32 %r1, [%rd2+4];"), "data:  | address: %rd2 | writes: %r1");
    EXPECT_EQ(flow("ld.param.u64 %rd1, [k_param_0];"), "data:  | address:  | writes: %rd1");
    EXPECT_EQ(flow("ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];"),
              "data:  | address: %rd1 | writes: %r1 %r2 %r3 %r4");
}

TEST(Dependence, OfAStoreIsItsValueAndItsAddress) {
    EXPECT_EQ(flow("st.shared.u32 [%rd1], %r2;"), "data: %r2 | address: %rd1 | writes: ");
    EXPECT_EQ(flow("st.global.v2.u32 [%rd1], {%r2, %r3};"), "data: %r2 %r3 | address: %rd1 | writes: ");
    EXPECT_EQ(flow("st.shared.u32 [%rd1], 5;"), "data:  | address: %rd1 | writes: ");
}

TEST(Dependence, OfAnAtomicIsBoth) {
    EXPECT_EQ(flow("atom.global.add.u32 %r1, [%rd1], %r2;"), "data: %r2 | address: %rd1 | writes: %r1");
    EXPECT_EQ(flow("atom.global.cas.b32 %r1, [%rd1], %r2, %r3;"), "data: %r2 %r3 | address: %rd1 | writes: %r1");
    EXPECT_EQ(flow("red.global.add.u32 [%rd1], %r2;"), "data: %r2 | address: %rd1 | writes: ");
}

TEST(Dependence, OfPredicatesCountsBothResultsAndTheSource) {
    EXPECT_EQ(flow("setp.lt.and.u32 %p1|%p2, %r1, %r2, !%p3;"), "data: %r1 %r2 %p3 | address:  | writes: %p1 %p2");
    EXPECT_EQ(flow("setp.lt.u32 _|%p2, %r1, %r2;"), "data: %r1 %r2 | address:  | writes: %p2");
    EXPECT_EQ(flow("selp.u32 %r1, %r2, %r3, %p1;"), "data: %r2 %r3 %p1 | address:  | writes: %r1");
}

TEST(Dependence, LeavesTheGuardOut) {
    EXPECT_EQ(flow("@%p1 add.u32 %r1, %r2, 1;"), "data: %r2 | address:  | writes: %r1");
    EXPECT_EQ(flow("@%p1 bra L; L: ret;"), "data:  | address:  | writes: ");
}

TEST(Dependence, OfMovesThatPackAndUnpack) {
    EXPECT_EQ(flow("mov.b64 {%r1, %r2}, %rd1;"), "data: %rd1 | address:  | writes: %r1 %r2");
    EXPECT_EQ(flow("mov.b64 %rd1, {%r1, %r2};"), "data: %r1 %r2 | address:  | writes: %rd1");
    EXPECT_EQ(flow("mov.b64 {%r1, _}, %rd1;"), "data: %rd1 | address:  | writes: %r1");
}

TEST(Dependence, GoesThroughTheCarry) {
    EXPECT_EQ(flow("add.cc.u32 %r1, %r2, %r3;"), "data: %r2 %r3 | address:  | writes: %r1 %cc");
    EXPECT_EQ(flow("addc.u32 %r1, %r2, %r3;"), "data: %r2 %r3 %cc | address:  | writes: %r1");
}

TEST(Dependence, OfABarrierThatReducesIsItsPredicate) {
    EXPECT_EQ(flow("bar.red.popc.u32 %r1, 0, %p1;"), "data: %p1 | address:  | writes: %r1");
    EXPECT_EQ(flow("bar.sync 0;"), "data:  | address:  | writes: ");
}

}  // namespace
}  // namespace lanescope::ptx
