// Damaged text: whatever the damage, a module that holds together or a problem with its place, in bounded time.
#include "exercise.h"
#include "support.h"

#include <algorithm>
#include <random>

namespace lanescope::ptx {
namespace {

/// Where the tokens of a text begin and end, by blanks and punctuation.
std::vector<std::pair<std::size_t, std::size_t>> tokens_of(const std::string& text) {
    std::vector<std::pair<std::size_t, std::size_t>> tokens;
    const std::string breaks = " \t\n,;:[](){}";
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.find_first_of(breaks, at);
        end = std::max(at + 1, std::min(end, text.size()));
        tokens.emplace_back(at, end);
        at = end;
    }
    return tokens;
}

class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    std::string mutate(std::string text) {
        for (unsigned i = 0, times = 1 + below(4); i < times && !text.empty(); ++i) once(text);
        return text;
    }

  private:
    unsigned below(std::size_t bound) { return static_cast<unsigned>(random_() % bound); }

    void once(std::string& text) {
        const auto tokens = tokens_of(text);
        const auto [begin, end] = tokens[below(tokens.size())];
        const auto [other_begin, other_end] = tokens[below(tokens.size())];
        const std::string other = text.substr(other_begin, other_end - other_begin);
        switch (below(8)) {
            case 0: text[below(text.size())] ^= static_cast<char>(1U << below(8)); break;
            case 1: text[below(text.size())] = static_cast<char>(random_()); break;
            case 2: text.erase(begin, end - begin); break;
            case 3: text.insert(begin, text.substr(begin, end - begin)); break;
            case 4: text.replace(begin, end - begin, other); break;
            case 5: text.resize(below(text.size())); break;
            case 6: text.insert(begin, std::to_string(random_() * std::uint64_t{4294967291U})); break;
            default: {  // a line again
                const std::size_t line = text.rfind('\n', begin) + 1;
                text.insert(line, text.substr(line, text.find('\n', begin) - line + 1));
            }
        }
    }

    std::mt19937 random_;
};

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

TEST(Mutations, AThousandNeitherCrashNorHang) {
    const std::vector<std::string> names = data_names();
    for (unsigned seed = 0; seed < 1000; ++seed) {
        const std::string text = Mutator(seed).mutate(read_data(names[seed % names.size()]));
        SCOPED_TRACE(testing::Message() << names[seed % names.size()] << ", seed " << seed);
        parse_and_exercise(text);
    }
}

TEST(Mutations, EveryTruncationIsToldOrWhole) {
    const std::string text = read_data("sequential.int.compiled.ptx");
    for (std::size_t end = 0; end < text.size(); ++end) {
        const Result<Module> module = parse(text.substr(0, end));
        EXPECT_TRUE(module || module.error().where.line <= count_lines(text)) << end;
    }
}

TEST(LongMutations, TenThousandNeitherCrashNorHang) {
    const std::vector<std::string> names = data_names();
    for (unsigned seed = 1000; seed < 11000; ++seed) {
        SCOPED_TRACE(seed);
        parse_and_exercise(Mutator(seed).mutate(read_data(names[seed % names.size()])));
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
    EXPECT_EQ(problem.what, "the module has more than 2097152 branch targets");
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
              "the module has more than 262144 variables");
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
