#include "ptx/dwarf_section.h"
#include "support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <algorithm>
#include <map>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

const SourceVariable* find(const Function& function, std::string_view name) {
    const auto found = std::ranges::find(function.source_variables, name, &SourceVariable::name);
    return found == function.source_variables.end() ? nullptr : &*found;
}

/// The registers that a variable lives in, in the order of its ranges.
std::string registers_of(const Function& function, std::string_view name) {
    const SourceVariable* variable = find(function, name);
    if (variable == nullptr) return "no such variable";
    std::vector<RegisterId> registers;
    for (const VariableRange& range : variable->ranges) registers.push_back(range.reg);
    return names(function, registers);
}

std::string summary(const SourceArray& array) {
    std::string text = fmt::format("{} {} {}", name_of(array.space), array.element_type, array.name);
    for (const std::uint64_t extent : array.extents) text += fmt::format("[{}]", extent);
    return text;
}

std::vector<std::string> summaries(const Module& module) {
    std::vector<std::string> all;
    for (const SourceArray& array : module.arrays) all.push_back(summary(array));
    return all;
}

TEST(Names, OfTheReductionAreItsVariables) {
    const Module module = parsed(read_data("interleaved.int.written.ptx"));
    const Function& function = module.functions.at(0);
    EXPECT_EQ(registers_of(function, "tid"), "%r1");
    EXPECT_EQ(registers_of(function, "i"), "%r10");
    EXPECT_EQ(registers_of(function, "in"), "%rd1");
    EXPECT_EQ(registers_of(function, "out"), "%rd2");
    const SourceVariable* in = find(function, "in");
    ASSERT_NE(in, nullptr);
    EXPECT_TRUE(in->parameter);
    EXPECT_EQ(in->type, "const int*");
    EXPECT_EQ(in->value, Type::u64);
    const SourceVariable* tid = find(function, "tid");
    ASSERT_NE(tid, nullptr);
    EXPECT_FALSE(tid->parameter);
    EXPECT_EQ(tid->type, "unsigned int");
    EXPECT_EQ(tid->value, Type::u32);
    EXPECT_EQ(tid->bytes, 4U);
}

TEST(Names, OfALoopVariableFollowItFromRegisterToRegister) {
    const Module module = parsed(read_data("interleaved.int.written.ptx"));
    const Function& function = module.functions.at(0);
    const SourceVariable* s = find(function, "s");
    ASSERT_NE(s, nullptr);
    ASSERT_THAT(s->ranges, SizeIs(testing::Ge(4U)));
    // In order, without overlap, inside the loop's block; each begins where its register has just been written.
    for (std::size_t i = 0; i < s->ranges.size(); ++i) {
        const VariableRange& range = s->ranges[i];
        EXPECT_LT(range.first, range.past_last);
        EXPECT_GE(range.first.value, s->scope_first_line);
        EXPECT_LE(range.past_last.value, s->scope_last_line + 1);
        EXPECT_TRUE(i == 0 || range.first >= s->ranges[i - 1].past_last);
        EXPECT_EQ(variable_in(function, range.reg, range.first), s);
        EXPECT_NE(variable_in(function, range.reg, range.past_last), s);
    }
    // The test of the loop, s < blockDim.x, reads it.
    const auto test = std::ranges::find_if(function.instructions, [](const Instruction& instruction) {
        return instruction.opcode == Opcode::setp && instruction.modifiers.compare == Compare::lt;
    });
    ASSERT_NE(test, function.instructions.end());
    EXPECT_EQ(variable_in(function, test->operands[1].reg, test->line), s);
}

TEST(Names, ChangeWithTheInstructionThatWrites) {
    const Module module = parsed(read_data("sequential.int.written.ptx"));
    const Function& function = module.functions.at(0);
    const SourceVariable* s = find(function, "s");
    ASSERT_NE(s, nullptr);
    // s >>= 1 writes a register that is s only from the next line on.
    const auto half = std::ranges::find_if(function.instructions, [](const Instruction& instruction) {
        return instruction.opcode == Opcode::shr && instruction.place != SourcePlace::none;
    });
    ASSERT_NE(half, function.instructions.end());
    const auto shift = std::find_if(half + 1, function.instructions.end(),
                                    [](const Instruction& instruction) { return instruction.opcode == Opcode::shr; });
    const Instruction& step = shift == function.instructions.end() ? *half : *shift;
    EXPECT_EQ(variable_in(function, step.operands[0].reg, PtxLine(step.line.value + 1)), s);
}

TEST(Names, OfDynamicSharedMemoryHaveTheElementsType) {
    for (const auto& [name, type, value] : {std::tuple("interleaved.int.written.ptx", "int", Type::s32),
                                            std::tuple("strided.unsigned.written.ptx", "unsigned int", Type::u32),
                                            std::tuple("sequential.float.written.ptx", "float", Type::f32)}) {
        const Module module = parsed(read_data(name));
        ASSERT_THAT(module.arrays, SizeIs(1)) << name;
        const SourceArray& sdata = module.arrays[0];
        EXPECT_EQ(sdata.name, "sdata");
        EXPECT_EQ(sdata.element_type, type);
        EXPECT_EQ(sdata.element, value);
        EXPECT_EQ(sdata.element_bytes, 4U);
        EXPECT_THAT(sdata.extents, ElementsAre(0U));
        EXPECT_EQ(sdata.space, Space::shared);
        EXPECT_EQ(module.variables.at(sdata.variable).name, "sdata");
    }
}

TEST(Names, OfSharedArraysAreKnownWithoutDwarfToo) {
    EXPECT_THAT(summaries(parsed(read_data("sequential.int.compiled.ptx"))), ElementsAre("shared  sdata"));
    EXPECT_THAT(summaries(parsed(read_data("hillis_steele.int.compiled.ptx"))), ElementsAre("shared  XY"));
    EXPECT_THAT(summaries(parsed(read_data("hillis_steele.int.written.ptx"))), ElementsAre("shared  XY"));
    EXPECT_THAT(parsed(read_data("sequential.int.compiled.ptx")).functions[0].source_variables, IsEmpty());
}

TEST(Names, OfMangledSharedArraysAreTheirLastPart) {
    const auto name = [](const std::string& mangled) {
        const Module module = parsed(".version 9.0\n.target sm_75\n.shared .b8 " + mangled + "[4];\n");
        return module.arrays.empty() ? "" : module.arrays[0].name;
    };
    EXPECT_EQ(name("_ZZ6reduceILi128EEvPKiPiE5sdata"), "sdata");
    EXPECT_EQ(name("_ZZ4scanE2XY_0"), "XY");
    EXPECT_EQ(name("_ZL4tile"), "tile");
    EXPECT_EQ(name("_ZN5outer5innerE"), "inner");
    EXPECT_EQ(name("_ZZ4scan"), "_ZZ4scan");
    EXPECT_EQ(name("_ZN999x"), "_ZN999x");
    EXPECT_EQ(name("plain"), "plain");
}

TEST(Names, OfMemoryHaveTypesExtentsAndOffsets) {
    const Module module = parsed(read_data("inlined.written.ptx"));
    EXPECT_THAT(summaries(module), ElementsAre("const float weights[4]", "global int counter", "local Pair bias",
                                               "local int local[4]", "shared  tile"));
    EXPECT_EQ(module.arrays[2].offset, 0U);
    EXPECT_EQ(module.arrays[3].offset, 8U);
    EXPECT_EQ(module.arrays[2].element_bytes, 8U);
    EXPECT_EQ(module.arrays[2].element, Type::none);
    EXPECT_EQ(&module.functions.at(module.arrays[3].function), module.find("inlined"));
}

TEST(Names, SeeThroughTypedefsAndConst) {
    const Module module = parsed(read_data("inlined.written.ptx"));
    const Function& function = *module.find("inlined");
    const SourceVariable* n = find(function, "n");
    ASSERT_NE(n, nullptr);
    EXPECT_EQ(n->type, "const word");
    EXPECT_EQ(n->value, Type::u32);
    EXPECT_EQ(find(function, "lane")->type, "word");
    EXPECT_EQ(find(function, "in")->type, "const Pair*");
}

TEST(Names, OfInlinedFunctionsAreSeenWhereTheyWereInlined) {
    const Module module = parsed(read_data("inlined.written.ptx"));
    const Function& function = *module.find("inlined");
    const auto xs = std::ranges::count(function.source_variables, "x", &SourceVariable::name);
    EXPECT_EQ(xs, 2);  // square() twice
    EXPECT_EQ(registers_of(function, "a"), "%r18");
    const SourceVariable* a = find(function, "a");
    EXPECT_TRUE(a->parameter);
    EXPECT_EQ(a->declared_line, 8U);
    EXPECT_LT(a->scope_first_line, a->scope_last_line);
}

TEST(Places, ChainThroughInlinedCalls) {
    const Module module = parsed(read_data("inlined.compiled.ptx"));
    const auto square = std::ranges::find_if(module.places, [](const SourcePlace& place) {
        return place.inlined_at != SourcePlace::none && place.function == "_Z6squarei";
    });
    ASSERT_NE(square, module.places.end());
    EXPECT_EQ(square->line, 7U);
    const SourcePlace& caller = module.places[square->inlined_at];
    EXPECT_EQ(caller.line, 8U);
    EXPECT_EQ(caller.function, "_Z12sumOfSquaresii");
    const SourcePlace& outermost = module.places[caller.inlined_at];
    EXPECT_EQ(outermost.line, 18U);
    EXPECT_EQ(outermost.inlined_at, SourcePlace::none);
}

TEST(Places, BelongToTheInstructionsThatFollow) {
    const Module module =
        parsed(kernel("mov.u32 %r1, 1;\n.loc 1 5 7\nmov.u32 %r1, 2;\nmov.u32 %r1, 3;\n.loc 1 6 1\nret;") +
               ".file 1 \"k.cu\"\n");
    const std::vector<Instruction>& code = module.functions.at(0).instructions;
    EXPECT_EQ(code[0].place, SourcePlace::none);
    EXPECT_EQ(module.places[code[1].place], (SourcePlace{1, 5, 7, SourcePlace::none, ""}));
    EXPECT_EQ(code[2].place, code[1].place);
    EXPECT_EQ(module.places[code[3].place].line, 6U);
    EXPECT_EQ(module.files.at(1), "k.cu");
}

TEST(Sections, RegisterNumbersArePackedCharacters) {
    const auto location = [](std::string_view body) {
        const dwarf::Section section = dwarf::read_section(body);
        return dwarf::read_location(section, 0, section.bytes.size());
    };
    EXPECT_EQ(location(".b8 144\n.b8 178\n.b8 228\n.b8 149\n.b8 1\n")->reg, "%r2");
    EXPECT_EQ(location(".b8 144,177,228,200,171,2")->reg, "%r21");
    EXPECT_EQ(location(".b8 144,177,200,201,171,2")->reg, "%rd1");
    EXPECT_FALSE(location(".b8 144"));
    EXPECT_FALSE(location(".b8 144, 255, 255"));
    EXPECT_FALSE(location(".b8 80"));
    const auto depot = location(".b8 3\n.b64 depot\n.b8 35\n.b8 8\n");
    ASSERT_TRUE(depot);
    EXPECT_EQ(depot->symbol, "depot");
    EXPECT_EQ(depot->offset, 8U);
}

TEST(Sections, KeepWhatStandsBeforeTheDamage) {
    const dwarf::Section section = dwarf::read_section("label:\n.b8 1, 2\n.b32 .debug_loc+105\n.b8 @\n.b8 3\n");
    EXPECT_THAT(section.bytes, ElementsAre(1, 2, 105, 0, 0, 0));
    EXPECT_EQ(section.labels.at("label"), 0U);
    ASSERT_THAT(section.references, SizeIs(1));
    EXPECT_EQ(section.references[0].symbol, ".debug_loc");
}

TEST(Sections, DamagedInAnyByteNeverStopAKernel) {
    const std::string text = read_data("interleaved.int.written.ptx");
    const std::size_t begin = text.find(".debug_info");
    ASSERT_NE(begin, std::string::npos);
    for (std::size_t at = begin; at < text.size(); ++at) {
        if (text[at] < '0' || text[at] > '9' || text.compare(at - 1, 2, "b8") == 0) continue;
        std::string damaged = text;
        damaged[at] = damaged[at] == '9' ? '1' : '9';
        const Result<Module> module = parse(damaged);
        ASSERT_TRUE(module) << module.error().message();
        ASSERT_EQ(module->functions.at(0).instructions.size(), 69U);
    }
}

TEST(Sections, CutOffInTheirDataNeverStopAKernel) {
    const std::string text = read_data("interleaved.int.written.ptx");
    for (std::size_t end = text.find("{", text.find(".section")) + 1; end < text.size(); end += 7) {
        const std::string cut = text.substr(0, end);
        const bool in_data = cut.rfind('{') > cut.rfind('}');
        EXPECT_TRUE(!in_data || parse(cut)) << end;
    }
}

}  // namespace
}  // namespace lanescope::ptx
