#include "support.h"

#include <gmock/gmock.h>

namespace lanescope::ptx {
namespace {

using testing::HasSubstr;
using Kind = Operand::Kind;

Instruction first(std::string_view body) {
    const Module module = parsed_kernel(body);
    return module.functions[0].instructions.empty() ? Instruction{} : module.functions[0].instructions.front();
}

TEST(Decode, ALoadHasItsSpaceTypeAndAddress) {
    const Instruction load = first("ld.shared.u32 %r1, [%rd2+4];");
    EXPECT_EQ(load.opcode, Opcode::ld);
    EXPECT_EQ(load.modifiers.space, Space::shared);
    EXPECT_EQ(load.modifiers.type, Type::u32);
    EXPECT_EQ(load.operand_count, 2);
    EXPECT_EQ(load.destination_count, 1);
    EXPECT_EQ(load.operands[1].kind, Kind::memory);
    EXPECT_EQ(load.operands[1].offset, 4);
}

TEST(Decode, AnAccessWithoutASpaceIsGeneric) {
    EXPECT_EQ(first("ld.u32 %r1, [%rd2];").modifiers.space, Space::generic);
    EXPECT_EQ(first("atom.add.u32 %r1, [%rd2], 1;").modifiers.space, Space::generic);
    EXPECT_EQ(first("add.u32 %r1, %r2, 1;").modifiers.space, Space::none);
}

TEST(Decode, AStoreWritesNoRegister) {
    const Instruction store = first("st.global.v2.f32 [%rd1+-8], {%f1, %f2};");
    EXPECT_EQ(store.destination_count, 0);
    EXPECT_EQ(store.modifiers.vector, 2);
    EXPECT_EQ(store.operands[0].offset, -8);
    EXPECT_EQ(store.operands[1].kind, Kind::vector);
    EXPECT_EQ(store.operands[1].elements, 2U);
}

TEST(Decode, ARegisterMayBeWiderThanWhatIsLoaded) {
    EXPECT_EQ(first("ld.global.u8 %r1, [%rd1];").modifiers.type, Type::u8);
    EXPECT_EQ(first("ld.global.s16 %rd1, [%rd1];").modifiers.type, Type::s16);
}

TEST(Decode, AWordWithTwoMeaningsMeansWhatItsOpcodeWants) {
    EXPECT_EQ(first("mul.lo.s32 %r1, %r2, 3;").modifiers.width, Width::lo);
    EXPECT_EQ(first("setp.lo.u32 %p1, %r2, 3;").modifiers.compare, Compare::lo);
    EXPECT_EQ(first("setp.eq.and.u32 %p1, %r2, 3, %p2;").modifiers.combine, Combine::and_);
    EXPECT_EQ(first("atom.global.and.b32 %r1, [%rd1], 3;").modifiers.atomic, Atomic::and_);
    EXPECT_EQ(first("vote.sync.uni.pred %p1, %p2, -1;").modifiers.vote, Vote::uni);
    EXPECT_TRUE(first("bra.uni L; L: ret;").modifiers.uniform);
}

TEST(Decode, TheLongestStemIsTheOpcode) {
    EXPECT_EQ(first("bar.sync 0;").opcode, Opcode::bar);
    EXPECT_EQ(first("bar.sync 0;").modifiers.barrier, Barrier::sync);
    EXPECT_EQ(first("bar.warp.sync 0xffffffff;").opcode, Opcode::bar_warp_sync);
    EXPECT_EQ(first("barrier.sync 0;").opcode, Opcode::barrier);
    EXPECT_FALSE(first("barrier.sync 0;").modifiers.aligned);
    EXPECT_TRUE(first("bar.sync 0;").modifiers.aligned);
    EXPECT_EQ(first("cp.async.wait_group 2;").opcode, Opcode::cp_async_wait_group);
}

TEST(Decode, AConversionHasItsResultFirst) {
    const Instruction convert = first("cvt.rzi.s32.f32 %r1, %f2;");
    EXPECT_EQ(convert.modifiers.type, Type::s32);
    EXPECT_EQ(convert.modifiers.source_type, Type::f32);
    EXPECT_EQ(convert.modifiers.rounding, Rounding::rzi);
}

TEST(Decode, AShuffleMayGiveAPredicateToo) {
    const Module module = parsed_kernel("shfl.sync.down.b32 %r1|%p2, %r3, 16, 31, -1;");
    const Instruction& shuffle = module.functions[0].instructions.at(0);
    EXPECT_EQ(shuffle.modifiers.shuffle, Shuffle::down);
    EXPECT_TRUE(shuffle.modifiers.sync);
    EXPECT_EQ(names(module.functions[0], definitions_of(module.functions[0], shuffle)), "%r1 %p2");
}

TEST(Decode, WideProductsAreTwiceAsWide) {
    const Instruction product = first("mul.wide.u32 %rd1, %r2, 4;");
    EXPECT_EQ(product.operands[0].type, Type::u64);
    EXPECT_EQ(product.operands[2].type, Type::u32);
}

TEST(Decode, ConstantsAreTheBitsOfTheirType) {
    EXPECT_EQ(first("mov.f32 %f1, 0f3F800000;").operands[1].immediate, 0x3f800000U);
    EXPECT_EQ(first("mov.f32 %f1, 1.0;").operands[1].immediate, 0x3f800000U);
    EXPECT_EQ(first("mov.f64 %d1, 0d3FF0000000000000;").operands[1].immediate, 0x3ff0000000000000U);
    EXPECT_EQ(first("add.s32 %r1, %r2, -4;").operands[2].immediate, ~std::uint64_t{3});
    EXPECT_EQ(first("add.u32 %r1, %r2, 0xFFFFFFFC;").operands[2].immediate, ~std::uint64_t{3});
    EXPECT_EQ(first("mov.b32 %r1, 0f3F800000;").operands[1].immediate, 0x3f800000U);
    EXPECT_EQ(first("add.u32 %r1, %r2, WARP_SZ;").operands[2].immediate, 32U);
    EXPECT_EQ(first("add.u32 %r1, %r2, 017;").operands[2].immediate, 15U);
    EXPECT_EQ(first("add.u32 %r1, %r2, 0b101U;").operands[2].immediate, 5U);
}

TEST(Decode, MovReadsSpecialRegistersAndAddresses) {
    EXPECT_EQ(first("mov.u32 %r1, %tid.x;").operands[1].special, Special::tid_x);
    EXPECT_EQ(first("mov.u64 %rd1, %clock64;").operands[1].special, Special::clock64);
    const Module module = parsed_kernel(".shared .align 4 .b8 s[64]; mov.u64 %rd1, s+8;");
    const Operand& address = module.functions[0].instructions.at(0).operands[1];
    EXPECT_EQ(address.kind, Kind::address);
    EXPECT_EQ(address.offset, 8);
    EXPECT_EQ(variable_of(module, module.functions[0], address)->name, "s");
}

TEST(Decode, MovPacksAndUnpacks) {
    const Module module = parsed_kernel("mov.b64 {%r1, %r2}, %rd3; mov.b32 %r1, {%h1, %h2};");
    const std::vector<Instruction>& code = module.functions[0].instructions;
    EXPECT_EQ(code.at(0).operands[0].kind, Kind::vector);
    EXPECT_EQ(code.at(0).operands[0].type, Type::b32);
    EXPECT_EQ(code.at(1).operands[1].type, Type::b16);
}

TEST(Decode, GuardsKeepTheirSign) {
    const Module module = parsed_kernel("@!%p3 mov.u32 %r1, 1;");
    const std::optional<Guard>& guard = module.functions[0].instructions.at(0).guard;
    ASSERT_TRUE(guard);
    EXPECT_TRUE(guard->negated);
    EXPECT_EQ(module.functions[0].registers[guard->predicate.index()].name, "%p3");
}

TEST(Decode, InstructionsThatShareALineEachGetTheirOwn) {
    const Module module = parsed_kernel("{ .reg .pred p; setp.ne.u32 p, %r1, 0; selp.u32 %r2, 1, 2, p; } ret;");
    const Function& function = module.functions[0];
    ASSERT_EQ(function.instructions.size(), 3U);
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(function.instruction_at(function.instructions[i].line), i);
        EXPECT_THAT(std::string(module.text_line(function.instructions[i].line)),
                    HasSubstr(mnemonic(function.instructions[i])));
    }
}

TEST(Decode, NamesInBracesHideOuterOnes) {
    const Module module = parsed_kernel("{ .reg .b32 %r1; mov.u32 %r1, 1; L: bra L; } mov.u32 %r1, 2; L: bra L;");
    const Function& function = module.functions[0];
    EXPECT_NE(function.instructions[0].operands[0].reg, function.instructions[2].operands[0].reg);
    EXPECT_EQ(function.instructions[1].target, 1U);
    EXPECT_EQ(function.instructions[3].target, 3U);
}

TEST(Decode, AtomicsTakeOrderAndScopeOnEitherSide) {
    for (const char* text :
         {"atom.release.gpu.global.add.u32 %r1, [%rd1], 1;", "atom.add.release.gpu.u32 %r1, [%rd1], 1;",
          "atom.global.gpu.release.add.u32 %r1, [%rd1], 1;"}) {
        const Modifiers modifiers = first(text).modifiers;
        EXPECT_EQ(modifiers.order, Order::release) << text;
        EXPECT_EQ(modifiers.scope, Scope::gpu) << text;
        EXPECT_EQ(modifiers.atomic, Atomic::add) << text;
    }
}

TEST(Decode, BarriersThatReduceHaveAResult) {
    const Instruction count = first("bar.red.popc.u32 %r1, 0, %p1;");
    EXPECT_EQ(count.modifiers.barrier, Barrier::red);
    EXPECT_EQ(count.modifiers.atomic, Atomic::popc);
    EXPECT_EQ(count.destination_count, 1);
    EXPECT_EQ(first("bar.red.and.pred %p1, 0, 64, !%p2;").operand_count, 4);
}

TEST(Decode, ACallNamesItsFunctionAndItsArguments) {
    const Module module = parsed(read_data("inlined.written.ptx"));
    const Function* callee = module.find("__iAtomicAdd");
    ASSERT_NE(callee, nullptr);
    EXPECT_FALSE(callee->entry);
    EXPECT_EQ(callee->parameters.size(), 2U);
    EXPECT_EQ(callee->results.size(), 1U);
    EXPECT_EQ(callee->parameter_bytes, 12U);
    std::size_t calls = 0;
    for (const Function& function : module.functions)
        for (const Instruction& instruction : function.instructions) {
            if (instruction.opcode != Opcode::call) continue;
            ++calls;
            EXPECT_EQ(instruction.operands[1].kind, Kind::function);
            EXPECT_EQ(instruction.operands[0].elements, 1U);
            EXPECT_EQ(instruction.operands[2].elements, 2U);
        }
    EXPECT_EQ(calls, 2U);
}

TEST(Decode, VariablesKeepTheirInitialValues) {
    const Module module = parsed(
        ".version 9.0\n.target sm_75\n.global .align 4 .u32 a[3] = {1, -1};\n.const .f32 b = 1.5;\n"
        ".func f() { ret; }\n.global .u64 t[2] = {f, generic(a)+4};\n.global .align 8 .b8 m[8] = {0xFF(a), 0xFF00(a), "
        "0xFF0000(a), "
        "0xFF000000(a), 0xFF00000000(a), 0xFF0000000000(a), 0xFF000000000000(a), 0xFF00000000000000(a)};\n");
    ASSERT_EQ(module.variables.size(), 4U);
    EXPECT_EQ(module.variables[0].bytes, 12U);
    EXPECT_EQ(module.variables[0].initial.size(), 8U);
    EXPECT_EQ(module.variables[0].initial[7], std::byte{0xff});
    EXPECT_EQ(module.variables[1].initial[3], std::byte{0x3f});
    ASSERT_EQ(module.variables[2].relocations.size(), 2U);
    EXPECT_TRUE(module.variables[2].relocations[0].of_function);
    EXPECT_TRUE(module.variables[2].relocations[1].generic);
    EXPECT_EQ(module.variables[2].relocations[1].addend, 4);
    ASSERT_EQ(module.variables[3].relocations.size(), 1U);
    EXPECT_EQ(module.variables[3].relocations[0].bytes, 8U);
}

TEST(Decode, OperationsAreDistinguishedFromTheRest) {
    EXPECT_TRUE(combines_values(first("add.f32 %f1, %f2, %f3;")));
    EXPECT_TRUE(combines_values(first("atom.add.u32 %r1, [%rd1], 1;")));
    EXPECT_FALSE(combines_values(first("atom.exch.b32 %r1, [%rd1], 1;")));
    EXPECT_FALSE(combines_values(first("cvt.u64.u32 %rd1, %r1;")));
    EXPECT_EQ(group_of(first("add.f32 %f1, %f2, %f3;")), Group::floating);
    EXPECT_EQ(group_of(first("add.s32 %r1, %r2, %r3;")), Group::integer);
}

TEST(Decode, LinesAreFoundByNumber) {
    const Module module = parsed_kernel("mov.u32 %r1, 1;");
    EXPECT_EQ(module.text_line(PtxLine(body_line)), "mov.u32 %r1, 1;");
    EXPECT_EQ(module.text_line(PtxLine(0)), "");
    EXPECT_EQ(module.text_line(PtxLine(999)), "");
    EXPECT_EQ(module.functions[0].instruction_at(PtxLine(body_line)), 0U);
    EXPECT_FALSE(module.functions[0].instruction_at(PtxLine(body_line + 1)));
}

}  // namespace
}  // namespace lanescope::ptx
