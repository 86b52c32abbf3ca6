#include "support.h"

#include <fmt/format.h>

namespace lanescope::ptx {
namespace {

const std::string layout_header = ".version 9.0\n.target sm_75\n.address_size 64\n";

std::string entry(std::string_view name, std::string_view body) {
    return fmt::format(".entry {}() {{\n.reg .b64 %rd<4>;\n{}\nret;\n}}\n", name, body);
}

TEST(Layout, ParametersAreAlignedOneAfterTheOther) {
    const Module module = parsed(
        layout_header + ".entry k(.param .u8 a, .param .u32 b, .param .align 8 .b8 c[12], .param .u64 d) { ret; }");
    const Function& function = module.functions.at(0);
    EXPECT_EQ(function.parameters[0].offset, 0U);
    EXPECT_EQ(function.parameters[1].offset, 4U);
    EXPECT_EQ(function.parameters[2].offset, 8U);
    EXPECT_EQ(function.parameters[3].offset, 24U);
    EXPECT_EQ(function.parameter_bytes, 32U);
}

TEST(Layout, FramesHoldLocalVariablesAndArgumentsApart) {
    const Module module = parsed(
        layout_header + entry("k", ".local .align 4 .b8 a[6]; .local .b64 b; { .param .b32 x; } { .param .b64 y; }"));
    const Function& function = module.functions.at(0);
    EXPECT_EQ(function.variables[0].offset, 0U);
    EXPECT_EQ(function.variables[1].offset, 8U);
    EXPECT_EQ(function.local_bytes, 16U);
    EXPECT_EQ(function.variables[3].offset, 8U);
    EXPECT_EQ(function.call_parameter_bytes, 16U);
    EXPECT_EQ(function.shared_bytes, 0U);
}

TEST(Layout, SharedVariablesFollowEachOtherAndDynamicMemoryFollowsThem) {
    const Module module = parsed(
        layout_header + ".shared .align 4 .b8 a[6];\n.shared .align 8 .b8 b[8];\n.extern .shared .align 16 .b8 d[];\n" +
        entry("k", "mov.u64 %rd1, a; mov.u64 %rd2, b; mov.u64 %rd3, d;"));
    EXPECT_EQ(module.variables[0].offset, 0U);
    EXPECT_EQ(module.variables[1].offset, 8U);
    EXPECT_EQ(module.functions[0].shared_bytes, 16U);
    EXPECT_EQ(module.functions[0].dynamic_shared_offset, 16U);
    EXPECT_EQ(shared_offset_of(module.functions[0], module.variables[1]), 8U);
    EXPECT_EQ(shared_offset_of(module.functions[0], module.variables[2]), 16U);
}

TEST(Layout, KernelsNeedOnlyTheSharedMemoryTheyName) {
    const Module module = parsed(
        layout_header + ".shared .b8 a[40000];\n.shared .b8 b[30000];\n.extern .shared .b8 d[];\n" +
        entry("first", "mov.u64 %rd1, a; mov.u64 %rd2, d;") + entry("second", "mov.u64 %rd1, b; mov.u64 %rd2, d;"));
    EXPECT_EQ(module.functions[0].shared_bytes, 40000U);
    EXPECT_EQ(module.functions[1].shared_bytes, 30000U);
    EXPECT_EQ(module.variables[1].offset, 0U);
    EXPECT_EQ(module.functions[0].dynamic_shared_offset, 40000U);
    EXPECT_EQ(module.functions[1].dynamic_shared_offset, 30000U);
}

TEST(Layout, AVariableThatTwoKernelsNameHasOneOffset) {
    const Module module =
        parsed(layout_header + ".shared .b8 a[100];\n.shared .b8 both[8];\n" +
               entry("first", "mov.u64 %rd1, a; mov.u64 %rd2, both;") + entry("second", "mov.u64 %rd1, both;"));
    EXPECT_EQ(module.variables[1].offset, 100U);
    EXPECT_EQ(module.functions[0].shared_bytes, 108U);
    EXPECT_EQ(module.functions[1].shared_bytes, 108U);
}

TEST(Layout, AKernelNeedsWhatItsFunctionsName) {
    const Module module =
        parsed(layout_header +
               ".shared .b8 a[64];\n.func g();\n.func f() { .reg .b64 %rd1; mov.u64 %rd1, a; call g; ret; }\n"
               ".func g() { .shared .b8 own[32]; call f; ret; }\n" +
               entry("k", "call g;") + entry("alone", ""));
    EXPECT_EQ(module.find("k")->shared_bytes, 96U);
    EXPECT_EQ(module.find("alone")->shared_bytes, 0U);
}

TEST(Layout, AKernelThatCallsAPointerNeedsWhatAnyAddressedFunctionNames) {
    const Module module = parsed(layout_header +
                                 ".shared .b8 a[64];\n.func f() { .reg .b64 %rd1; mov.u64 %rd1, a; ret; }\n"
                                 ".func unaddressed() { .shared .b8 own[32]; ret; }\n" +
                                 entry("k", "mov.u64 %rd1, f; call %rd1, P; P: .callprototype ()_ ();"));
    EXPECT_EQ(module.find("k")->shared_bytes, 64U);
}

TEST(Layout, OfTheStaticScanIsItsArray) {
    const Module module = parsed(read_data("hillis_steele.float.written.ptx"));
    EXPECT_EQ(module.functions.at(0).shared_bytes, 8192U);
    EXPECT_EQ(module.functions.at(0).parameter_bytes, 20U);
}

TEST(Layout, OfADynamicReductionBeginsAtZero) {
    for (const char* name : {"sequential.int.written.ptx", "sequential.int.compiled.ptx"}) {
        const Module module = parsed(read_data(name));
        EXPECT_EQ(module.functions.at(0).shared_bytes, 0U);
        EXPECT_EQ(module.functions.at(0).dynamic_shared_offset, 0U);
        ASSERT_EQ(module.variables.size(), 1U);
        EXPECT_TRUE(module.variables[0].dynamic());
    }
}

}  // namespace
}  // namespace lanescope::ptx
