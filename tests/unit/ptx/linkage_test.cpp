// Several translation units in one text: which names they share, and which are internal to each.
#include "support.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <algorithm>
#include <set>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string header = ".version 9.0\n.target sm_75\n.address_size 64\n";

/// "name" or "name undefined", of all functions or variables.
std::vector<std::string> functions_of(const Module& module) {
    std::vector<std::string> all;
    all.reserve(module.functions.size());
    for (const Function& function : module.functions)
        all.push_back(function.name + (function.defined ? "" : " undefined"));
    return all;
}

std::vector<std::string> variables_of(const Module& module) {
    std::vector<std::string> all;
    all.reserve(module.variables.size());
    for (const Variable& variable : module.variables) all.push_back(variable.name);
    return all;
}

const Function& function_named(const Module& module, std::string_view part) {
    const auto found = std::ranges::find_if(
        module.functions, [&](const Function& function) { return function.name.find(part) != std::string::npos; });
    EXPECT_NE(found, module.functions.end()) << part;
    return found == module.functions.end() ? module.functions.front() : *found;
}

/// The functions that it calls, and the variables whose address it takes, by name and line of their definition.
std::set<std::string> used_by(const Module& module, const Function& function) {
    std::set<std::string> used;
    for (const Instruction& instruction : function.instructions)
        for (const Operand& operand : instruction.operands) {
            if (operand.kind == Operand::Kind::function) {
                const Function& callee = module.functions[operand.function];
                used.insert(fmt::format("{} {}", callee.name, callee.line.value));
            } else if (operand.owner == Operand::Owner::module) {
                const Variable& variable = module.variables[operand.variable];
                used.insert(fmt::format("{} {}", variable.name, variable.line.value));
            }
        }
    return used;
}

/// The file and line of the source that the function begins at.
std::string source_of(const Module& module, const Function& function) {
    const SourcePlace& place = module.places.at(function.instructions.at(0).place);
    const auto file = module.files.find(place.file);
    return fmt::format("{}:{}", file == module.files.end() ? "?" : file->second, place.line);
}

std::string variable_at(const Module& module, std::string_view function, std::string_view name) {
    const Function& where = function_named(module, function);
    const auto found = std::ranges::find(where.source_variables, name, &SourceVariable::name);
    if (found == where.source_variables.end() || found->ranges.empty()) return "none";
    const VariableRange& range = found->ranges.front();
    EXPECT_GE(range.first, where.line) << name;
    return fmt::format("{} {}", found->type, where.registers.at(range.reg.index()).name);
}

class CompiledUnits : public testing::TestWithParam<const char*> {
  protected:
    CompiledUnits() : module_(parsed(read_data(GetParam()))) {}
    Module module_;
};

TEST_P(CompiledUnits, AreLinkedBySymbol) {
    const Function& scaled = function_named(module_, "_Z6scaled");
    EXPECT_TRUE(scaled.defined);
    EXPECT_THAT(source_of(module_, scaled), HasSubstr("/units/second.cu:"));
    EXPECT_THAT(source_of(module_, function_named(module_, "_Z5first")), HasSubstr("/units/first.cu:"));
    EXPECT_THAT(used_by(module_, function_named(module_, "_Z5first")),
                testing::Contains(fmt::format("_Z6scaled4Pairi {}", scaled.line.value)));
    ASSERT_TRUE(module_.variable_named("counter"));
    const Variable& counter = module_.variables[*module_.variable_named("counter")];
    EXPECT_FALSE(counter.external);
    EXPECT_EQ(counter.initial.at(0), std::byte{5});
    EXPECT_THAT(used_by(module_, function_named(module_, "_Z6second")),
                testing::Contains(fmt::format("counter {}", counter.line.value)));
}

TEST_P(CompiledUnits, ShareWhatBothDefineWeakly) {
    EXPECT_EQ(std::ranges::count(functions_of(module_), "_Z5twiceIiET_S0_"), 1);
    EXPECT_EQ(std::ranges::count(functions_of(module_), "_Z4fillILi3EEvPi"), 1);
    EXPECT_EQ(std::ranges::count(variables_of(module_), "staged"), 1);
}

TEST_P(CompiledUnits, KeepWhatIsStatic) {
    const auto ends_in = [](std::string_view end) {
        return [end](const std::string& name) { return name.ends_with(end); };
    };
    EXPECT_EQ(std::ranges::count_if(functions_of(module_), ends_in("Z5resetPi")), 2);
    EXPECT_EQ(std::ranges::count_if(variables_of(module_), ends_in("offset")), 2);
}

TEST_P(CompiledUnits, HaveOneListOfFiles) {
    std::vector<std::string> files;
    files.reserve(module_.files.size());
    for (const auto& [number, name] : module_.files) files.push_back(name);
    EXPECT_THAT(files, testing::UnorderedElementsAre("/units/first.cu", "/units/shared.h", "/units/second.cu"));
    EXPECT_THAT(source_of(module_, function_named(module_, "_Z5twice")), HasSubstr("/units/shared.h:"));
}

TEST_P(CompiledUnits, CountLinesThrough) {
    std::uint32_t second = 0;
    for (std::uint32_t line = 2; line <= module_.line_starts.size(); ++line)
        if (module_.text_line(PtxLine(line)).starts_with(".version")) second = line;
    EXPECT_LT(function_named(module_, "_Z5first").line, PtxLine(second));
    const Function& kernel = function_named(module_, "_Z6second");
    EXPECT_GT(kernel.line, PtxLine(second));
    for (const Instruction& instruction : kernel.instructions)
        EXPECT_THAT(std::string(module_.text_line(instruction.line)), HasSubstr(mnemonic(instruction)));
}

INSTANTIATE_TEST_SUITE_P(BothViews, CompiledUnits, testing::Values("units.written.ptx", "units.compiled.ptx"),
                         [](const auto& view) { return std::string(view.param).substr(6, view.index == 0 ? 7 : 8); });

TEST(UnitsAsWritten, NameTheirVariablesEachByItsOwnDwarf) {
    const Module module = parsed(read_data("units.written.ptx"));
    EXPECT_EQ(variable_at(module, "_Z5first", "lane"), "int %r2");
    EXPECT_EQ(variable_at(module, "_Z6scaled", "sum"), "int %r6");
    EXPECT_EQ(variable_at(module, "_Z6second", "value"), "int %r2");
    std::vector<std::string> arrays;
    arrays.reserve(module.arrays.size());
    for (const SourceArray& array : module.arrays) arrays.push_back(array.name);
    std::ranges::sort(arrays);
    EXPECT_THAT(arrays,
                ElementsAre("counter", "offset", "offset", "pair", "pair", "pair", "staged", "tile", "weights"));
    EXPECT_EQ(std::ranges::count(module.structures, "Pair", &SourceStructure::name), 1);
}

TEST(Units, LinkInAnyOrder) {
    const std::string user = header +
                             ".extern .global .align 4 .b8 x[];\n.extern .func f();\n"
                             ".visible .entry k() { .reg .b64 %r; mov.u64 %r, x; call f; ret; }\n";
    const std::string definer = header + ".visible .global .align 4 .u32 x = 7;\n.visible .func f() { ret; }\n";
    for (const std::string& text : {user + definer, definer + user}) {
        const Module module = parsed(text);
        EXPECT_THAT(variables_of(module), ElementsAre("x"));
        EXPECT_EQ(module.variables.at(0).bytes, 4U);
        EXPECT_FALSE(module.variables.at(0).external);
        EXPECT_EQ(module.variables.at(0).initial.at(0), std::byte{7});
        const Function& f = function_named(module, "f");
        EXPECT_TRUE(f.defined);
        EXPECT_EQ(used_by(module, function_named(module, "k")).size(), 2U);
    }
}

TEST(Units, TakeTheStrongDefinitionOfAWeakName) {
    const std::string weak = header + ".weak .func f() { exit; }\n.weak .global .u32 x = 1;\n",
                      strong = header + ".visible .func f() { ret; }\n.visible .global .u32 x = 2;\n";
    for (const std::string& text : {weak + strong, strong + weak, fmt::format("{0}{1}{0}", weak, strong)}) {
        const Module module = parsed(text);
        EXPECT_THAT(functions_of(module), ElementsAre("f"));
        ASSERT_EQ(module.functions.at(0).instructions.size(), 1U);
        EXPECT_EQ(mnemonic(module.functions.at(0).instructions.at(0)), "ret");
        EXPECT_EQ(module.variables.at(0).initial.at(0), std::byte{2});
    }
}

TEST(Units, DoNotSeeEachOthersOwnNames) {
    const std::string own = header + ".func f() { ret; }\n.global .u32 x;\n";
    const Module module = parsed(own + own + header + ".visible .func g() { ret; }\n");
    EXPECT_THAT(functions_of(module), ElementsAre("f", "f", "g"));
    EXPECT_THAT(variables_of(module), ElementsAre("x", "x"));
    EXPECT_EQ(module.variable_named("x"), std::nullopt);
    EXPECT_EQ(module.variable_named("x", 1), 1U);
    EXPECT_EQ(module.variable_named("x", 2), std::nullopt);
    EXPECT_THAT(refused(own + header + ".visible .entry k() { call f; ret; }").message(),
                HasSubstr("\"f\" is not declared"));
    EXPECT_THAT(refused(own + header + ".visible .entry k() { .reg .b64 %r; mov.u64 %r, x; ret; }").message(),
                HasSubstr("\"x\" is not declared"));
}

TEST(Units, RefuseASecondDefinition) {
    EXPECT_THAT(refused(header + ".visible .func f() { ret; }\n" + header + ".visible .func f() { ret; }").message(),
                HasSubstr("8:16: \"f\" is defined twice: here and on line 4"));
    EXPECT_THAT(refused(header + ".visible .global .u32 x;\n" + header + ".visible .global .u32 x;").message(),
                HasSubstr("8:23: \"x\" is defined twice: here and on line 4"));
}

TEST(Units, RefuseKernelsThatALaunchCannotDistinguish) {
    const std::string unit = header + ".entry k() { ret; }\n";
    EXPECT_THAT(refused(unit + unit).message(), HasSubstr("8:8: two translation units have a kernel \"k\""));
}

TEST(Units, RefuseAVariableThatNoneDefines) {
    const Problem problem = refused(header + "\n.extern .const .align 4 .b8 weights[16];\n" + header);
    EXPECT_EQ(problem.what, "no translation unit defines the variable \"weights\"");
    EXPECT_EQ(problem.where.line, 5U);
    EXPECT_TRUE(parse(header + ".extern .shared .align 4 .b8 staged[];\n" + header));
}

TEST(Units, RefuseDeclarationsThatDoNotFitTheDefinition) {
    const std::string definition = header + ".visible .global .b8 x[16];\n.visible .func f(.param .b32 a) { ret; }\n";
    for (const char* other : {".extern .global .b8 x[8];", ".extern .const .b8 x[16];", ".extern .func f();",
                              ".extern .func x();", ".extern .global .b8 f[4];"}) {
        const std::string declaration = header + other + "\n";
        EXPECT_THAT(refused(definition + declaration).message(), HasSubstr("is declared differently on line"));
        EXPECT_THAT(refused(declaration + definition).message(), HasSubstr("is declared differently on line"));
    }
    EXPECT_TRUE(parse(definition + header + ".extern .global .b8 x[];\n"));
}

TEST(Units, KeepTheirLabelsAndFilesApart) {
    const auto unit = [](const std::string& name, const std::string& file, const std::string& inlined) {
        return header + ".visible .func " + name + "() {\nL: .loc 1 3 1\nexit;\n.loc 1 9 1, function_name S, " +
               "inlined_at 1 3 1\nbra L;\n}\n.file 1 \"" + file + "\"\n.section .debug_str {\nS:\n.b8 " + inlined +
               ",0\n}\n";
    };
    // 'a' and 'b' are 97 and 98.
    const Module module = parsed(unit("f", "one.cu", "97") + unit("g", "two.cu", "98") + unit("h", "one.cu", "97"));
    std::vector<std::string> places;
    for (const Function& function : module.functions) {
        ASSERT_EQ(function.instructions.size(), 2U);
        const SourcePlace& place = module.places.at(function.instructions[1].place);
        const SourcePlace& site = module.places.at(place.inlined_at);
        places.push_back(fmt::format("{} {} {}", module.files.at(place.file), place.function, site.line));
        EXPECT_EQ(site.file, place.file);
    }
    EXPECT_THAT(places, ElementsAre("one.cu a 3", "two.cu b 3", "one.cu a 3"));
    EXPECT_EQ(module.files.size(), 2U);
}

TEST(Units, HaveALimit) {
    std::string many;
    for (int i = 0; i < 5000; ++i) many += ".version 9.0\n.target sm_75\n";
    EXPECT_THAT(refused(many).what, HasSubstr("more than 4,096 translation units"));
}

TEST(Units, ThatEndInsideASkippedBodyAreRefused) {
    const std::string weak = header + ".weak .func f() { ret; }\n";
    EXPECT_THAT(refused(weak + header + ".weak .func f() { { ret; }").message(), HasSubstr("the text ends inside"));
}

}  // namespace
}  // namespace lanescope::ptx
