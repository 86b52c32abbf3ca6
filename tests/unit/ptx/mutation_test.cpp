// Damaged text yields a consistent module or a problem with its place, in bounded time.
#include "exercise.h"
#include "mutator.h"
#include "support.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

void parse_and_exercise(const std::string& text) {
    const Result<Module> module = parse(text);
    if (module) {
        exercise(*module);
    } else {
        EXPECT_FALSE(module.error().what.empty());
        EXPECT_TRUE(module.error().where.known());
        EXPECT_LT(module.error().message().size(), 1000U);
    }
}

std::size_t count_lines(const std::string& text) {
    return static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
}

/// Ten thousand mutations, as parallel tests of a thousand each.
class Mutations : public testing::TestWithParam<unsigned> {};

TEST_P(Mutations, AThousandNeitherCrashNorHang) {
    const std::vector<std::string> names = data_names();
    for (unsigned seed = 1000 * GetParam(); seed < 1000 * (GetParam() + 1); ++seed) {
        SCOPED_TRACE(testing::Message() << names[seed % names.size()] << ", seed " << seed);
        parse_and_exercise(Mutator(seed).mutate(read_data(names[seed % names.size()])));
    }
}

INSTANTIATE_TEST_SUITE_P(TenThousand, Mutations, testing::Range(0U, 10U));

TEST(Truncations, AreReportedOrWhole) {
    const std::string text = read_data("sequential.int.compiled.ptx");
    for (std::size_t end = 0; end < text.size(); ++end) {
        const Result<Module> module = parse(text.substr(0, end));
        EXPECT_TRUE(module || module.error().where.line <= count_lines(text)) << end;
    }
}

// --- Texts made to be expensive -----------------------------------------------------------------------------------

std::string repeated(std::string_view text, std::size_t times) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

TEST(HostileText, OfManyBranchesTakesTimeInProportion) {
    // Irreducible: every block leads forward and far back.
    std::string body;
    for (int i = 0; i < 20'000; ++i) {
        body += "L" + std::to_string(i) + ":\n@%p1 bra L" + std::to_string(i * 7919 % 20'000) + ";\n";
    }
    parse_and_exercise(kernel(body + "ret;"));
}

TEST(HostileText, OfTablesNamedAgainAndAgainIsRefused) {
    const std::string table = "T: .branchtargets L" + repeated(", L", 5000) + ";\n";
    const Problem problem = refused(kernel("L:\n" + table + repeated("brx.idx %r1, T;\n", 5000)));
    EXPECT_EQ(problem.what, "the module has more than 2,097,152 branch targets");
}

TEST(HostileText, OfInstructionsOnOneLineIsBrokenIntoLines) {
    const Module module = parsed_kernel(repeated("mov.u32 %r1, 1; ", 5000));
    EXPECT_EQ(module.functions.at(0).instructions.size(), 5000U);
    exercise(module);
}

TEST(HostileText, OfManyDeclarationsIsRefused) {
    std::string names = "a0";
    for (int i = 1; i < 300'000; ++i) names += ",a" + std::to_string(i);
    EXPECT_EQ(refused(".version 9.0\n.target sm_75\n.global .b8 " + names + ";").what,
              "the module has more than 262,144 variables");
}

TEST(HostileText, OfManySignsIsNoDeepStack) {
    EXPECT_FALSE(parse(kernel("mov.u32 %r1, " + std::string(1'000'000, '-') + ";")));
    EXPECT_FALSE(parse(".version 9.0\n.target sm_75\n.global .b8 a[4] = " + std::string(1'000'000, '{')));
}

TEST(HostileText, OfAListNamedByManyVariablesStaysSmall) {
    // Each variable of the debug information names the one long location list.
    std::string list = ".section .debug_loc {\n", info;
    for (int i = 0; i < 2000; ++i) list += ".b64 B\n.b64 E\n.b8 5,0,144,177,228,149,1\n";
    for (int i = 0; i < 2000; ++i) info += ".b8 3\n.b8 120,0\n.b32 0\n";
    const std::string abbreviations =
        ".section .debug_abbrev {\n.b8 1,17,1,0,0, 2,46,1,17,1,18,1,0,0, 3,52,0,3,8,2,6,0,0, 0\n}\n";
    const std::string text =
        kernel("B: mov.u32 %r1, 1;\nE: ret;") + list + "}\n" + abbreviations +
        ".section .debug_info {\n.b32 40000\n.b8 2,0\n.b32 .debug_abbrev\n.b8 8\n.b8 1\n.b8 2\n.b64 B\n.b64 E\n" +
        info + "}\n";
    const Module module = parsed(text);
    std::size_t ranges = 0;
    for (const SourceVariable& variable : module.functions.at(0).source_variables) ranges += variable.ranges.size();
    EXPECT_GT(ranges, 0U);
    EXPECT_LE(ranges, std::size_t{1} << 18U);
}

}  // namespace
}  // namespace lanescope::ptx
