// Textures and surfaces in PTX: their operands, what depends on them, and which kernels access them.
#include "ptx/reached.h"
#include "support.h"

#include <gmock/gmock.h>

namespace lanescope::ptx {
namespace {

const std::string texels_text =
    ".version 9.0\n.target sm_75\n.address_size 64\n"
    ".func fetches(.param .u64 t)\n{\n.reg .b64 %rd<2>;\n.reg .f32 %f<8>;\n.reg .b32 %r<8>;\n"
    "ld.param.u64 %rd1, [t];\ntex.3d.v4.f32.f32 {%f1, %f2, _, %f4}, [%rd1, {%f5, %f6, 0f3F000000, 0f3F000000}];\n"
    "suld.b.1d.v2.b32.clamp {%r1, %r2}, [%rd1, {%r3}];\nsust.b.2d.b32.zero [%rd1, {%r1, %r2}], {%r3};\nret;\n}\n"
    ".visible .entry calls(.param .u64 t)\n{\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [t];\n{\n.param .b64 a;\n"
    "st.param.b64 [a], %rd1;\ncall.uni fetches, (a);\n}\nret;\n}\n"
    ".visible .entry idle()\n{\nret;\n}\n";

TEST(Texels, AreNamedByAHandleAndCoordinates) {
    const Result<Module> module = parse(texels_text);
    ASSERT_TRUE(module) << module.error().message();
    const Function& function = module->functions[0];
    const Instruction& fetch = function.instructions[1];
    EXPECT_EQ(print(*module, function, fetch),
              "tex.3d.v4.f32.f32 {%f1, %f2, _, %f4}, [%rd1, {%f5, %f6, 0f3F000000, 0f3F000000}];");
    EXPECT_EQ(fetch.modifiers.dimensions, 3);
    const Uses uses = uses_of(function, fetch);
    EXPECT_EQ(uses.address.size(), 3U);  // the handle, x and y
    EXPECT_TRUE(uses.data.empty());
    EXPECT_EQ(definitions_of(function, fetch).size(), 3U);
    const Instruction& store = function.instructions[3];
    EXPECT_EQ(print(*module, function, store), "sust.b.2d.b32.zero [%rd1, {%r1, %r2}], {%r3};");
    EXPECT_EQ(store.modifiers.bound, Bound::zero);
    EXPECT_EQ(uses_of(function, store).data.size(), 1U);
}

TEST(Texels, AreFoundInTheFunctionsThatAKernelCalls) {
    const Result<Module> module = parse(texels_text);
    ASSERT_TRUE(module) << module.error().message();
    const Instruction* const access = first_texel_access(*module, *module->find("calls"));
    ASSERT_NE(access, nullptr);
    EXPECT_EQ(mnemonic(*access), "tex.3d.v4.f32.f32");
    EXPECT_EQ(first_texel_access(*module, *module->find("idle")), nullptr);
}

TEST(Texels, RefuseOperandsThatDoNotFit) {
    EXPECT_EQ(refused_body("tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f1}];"),
              "1:38: 1 element where 2 are expected");
    EXPECT_EQ(refused_body("tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd1];"),
              "1:38: expected a handle and coordinates in brackets");
    EXPECT_EQ(refused_body("ld.global.u32 %r1, [%rd1, {%r2}];"), "1:20: coordinates belong to a texture or a surface");
    EXPECT_EQ(refused_body("tex.1d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%r1, {%r2}];"),
              "1:38: \"%r1\" is a .b32 register where .b64 is expected");
}

}  // namespace
}  // namespace lanescope::ptx
