// Functions that call themselves, and calls through pointers.
#include "harness.h"

namespace lanescope::execute {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Words = std::vector<std::uint32_t>;

/// A kernel that stores the result of `callee`(thread), after the functions in `text`.
std::shared_ptr<const trace::Trace> run(const std::string& text, const std::string& call, unsigned threads,
                                        std::uint64_t record_blocks = 1) {
    const std::string kernel = R"(.version 8.0
.target sm_80
.address_size 64
)" + text + R"(
.visible .entry test(.param .u64 test_out)
{
.reg .b32 %r<4>;
.reg .b64 %d<4>;
ld.param.u64 %d1, [test_out];
mov.u32 %r1, %tid.x;
{
.param .b32 param0;
st.param.b32 [param0], %r1;
.param .b32 retval0;
)" + call + R"(
ld.param.b32 %r2, [retval0];
}
mul.wide.u32 %d2, %r1, 4;
add.u64 %d1, %d1, %d2;
st.global.u32 [%d1], %r2;
ret;
}
)";
    return Kernel(kernel).block(threads).limits({.record_blocks = record_blocks}).buffer("out", Words(threads)).run();
}

/// sum(n) = n + sum(n - 1), with n in a local variable and, across the inner call, in a register.
const std::string sum = R"(.func (.param .b32 result) sum(.param .b32 given)
{
.local .align 4 .b32 kept;
.reg .pred %p;
.reg .b32 %n<8>;
.reg .b64 %address;
ld.param.b32 %n1, [given];
mov.u64 %address, kept;
st.local.u32 [%address], %n1;
setp.eq.u32 %p, %n1, 0;
@%p bra DONE;
sub.u32 %n2, %n1, 1;
{
.param .b32 param0;
st.param.b32 [param0], %n2;
.param .b32 retval0;
call (retval0), sum, (param0);
ld.param.b32 %n3, [retval0];
}
ld.local.u32 %n4, [kept];
add.u32 %n5, %n3, %n4;
add.u32 %n5, %n5, %n1;
st.param.b32 [result], %n5;
ret;
DONE:
st.param.b32 [result], 0;
ret;
}
)";

TEST(Recursion, KeepsTheRegistersAndVariablesOfEachDepthLaneByLane) {
    for (const std::uint64_t record_blocks : {0U, 1U}) {
        const auto trace = run(sum, "call (retval0), sum, (param0);", 40, record_blocks);
        const Words out = final_of<std::uint32_t>(*trace, "out");
        for (std::uint32_t n = 0; n < 40; ++n) EXPECT_EQ(out[n], n * (n + 1)) << n;
        EXPECT_TRUE(trace->findings.empty());
    }
}

TEST(Recursion, TooDeepForTheStackIsAFinding) {
    const auto trace = run(sum, "call (retval0), sum, (param0);", 256);
    ASSERT_EQ(trace->findings.size(), 1U);
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::stack_overflow);
    EXPECT_THAT(trace->findings[0].message, HasSubstr("overflows its stack of 4,096 bytes: a call of sum needs a frame "
                                                      "of "));
}

const std::string two_functions = R"(.func (.param .b32 result) twice(.param .b32 given)
{
.reg .b32 %n<2>;
ld.param.b32 %n1, [given];
shl.b32 %n1, %n1, 1;
st.param.b32 [result], %n1;
ret;
}
.func (.param .b32 result) square(.param .b32 given)
{
.reg .b32 %n<2>;
ld.param.b32 %n1, [given];
mul.lo.u32 %n1, %n1, %n1;
st.param.b32 [result], %n1;
ret;
}
.global .align 8 .u64 table[2] = {twice, square};
)";

TEST(CallsThroughPointers, TakeEachLaneToItsFunction) {
    const auto trace = run(two_functions, R"(
and.b32 %r3, %r1, 1;
mul.wide.u32 %d2, %r3, 8;
mov.u64 %d3, table;
add.u64 %d2, %d2, %d3;
ld.global.u64 %d3, [%d2];
kind: .callprototype (.param .b32 _) _ (.param .b32 _);
call (retval0), %d3, (param0), kind;)",
                           6);
    EXPECT_THAT(final_of<std::uint32_t>(*trace, "out"), ElementsAre(0, 1, 4, 9, 8, 25));
    EXPECT_TRUE(trace->findings.empty());
}

TEST(CallsThroughPointers, OfAnInstruction) {
    const auto trace = run(two_functions, R"(
mov.u64 %d3, square;
kind: .callprototype (.param .b32 _) _ (.param .b32 _);
call (retval0), %d3, (param0), kind;)",
                           3);
    EXPECT_THAT(final_of<std::uint32_t>(*trace, "out"), ElementsAre(0, 1, 4));
}

TEST(CallsThroughPointers, ThatNameNoFunctionAreAFinding) {
    const auto trace = run(two_functions, R"(
mov.u64 %d3, 0;
kind: .callprototype (.param .b32 _) _ (.param .b32 _);
call (retval0), %d3, (param0), kind;)",
                           3);
    ASSERT_EQ(trace->findings.size(), 1U);
    EXPECT_EQ(trace->findings[0].kind, trace::Finding::Kind::null_access);
    EXPECT_THAT(trace->findings[0].message, HasSubstr("calls address 0x0"));
}

}  // namespace
}  // namespace lanescope::execute
