// The narration of a branch's condition if the source's condition was compiled to several branches.
#include "session/run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/narration/narration.h"
#include "run_support.h"

namespace lanescope::session {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

/// The narration of a kernel whose thread i sets out[i] if the condition holds; `in` is 0, 1, 2 and so on.
std::vector<std::string> sentences_of(const std::string& condition, trace::View view = trace::View::written) {
    const ScratchFolder folder;
    Request request{.program = folder.add("conditions.cu",
                                          "__global__ void mark(const int* in, int* out, int n)\n{\n"
                                          "    int i = threadIdx.x, v = in[i];\n    if (" +
                                              condition +
                                              ") out[i] = 1;\n}\n// lanescope: arg in = input(n)\n"
                                              "// lanescope: arg out = zeros(n)\n// lanescope: arg n = n\n"
                                              "// lanescope: n = 16\n// lanescope: block = 16\n"),
                    .input = "iota"};
    request.view = view;
    const auto run = run_of(request);
    std::vector<std::string> sentences;
    if (run == nullptr) return sentences;
    const analysis::BlockPasses& passes = run->analysis->block_passes(0, BlockId(0));
    for (std::size_t position = 0; position < passes.steps.size(); ++position)
        sentences.push_back(analysis::narrate(run->analysis->view(passes), position, 32));
    return sentences;
}

TEST(Conditions, OfSeveralBranchesAllThatDecidedAreNamed) {
    for (const auto& [condition, outcome] : {
             std::pair("v > 2 && i < 9", "v > 2 && i < 9 holds for lanes 3 to 8: they enter the branch"),
             std::pair("v > 12 || i < 2", "v > 12 || i < 2 holds for 5 lanes: they enter the branch"),
             std::pair("v > 2 && i < 9 || v == 12",
                       "v > 2 && i < 9 || v == 12 holds for 7 lanes: they enter the branch"),
             std::pair("(v > 12 || i < 4) && v != 2", "(v > 12 || i < 4) && v != 2 holds for 6 lanes"),
             std::pair("v > 2 && !(i == 4 || i == 6)", "v > 2 && !(i == 4 || i == 6) holds for 11 lanes"),
         }) {
        const std::vector<std::string> said = sentences_of(condition);
        EXPECT_THAT(said, Contains(HasSubstr(outcome)));
        EXPECT_THAT(said, Not(Contains(HasSubstr("he condition ")))) << condition;
    }
}

TEST(Conditions, ThatAllLanesHaveDecidedByTheFirstPartHaveNoOther) {
    const std::vector<std::string> said = sentences_of("v > 20 && i < 9");
    EXPECT_THAT(said, Contains(HasSubstr("v > 20 fails: all 16 lanes go to")));
    EXPECT_THAT(said, Not(Contains(HasSubstr("i < 9")))) << "no lane has compared it";
}

TEST(Conditions, AsCompiledThatAreCombinedBySetpOrAndAreNamedTogether) {
    const std::vector<std::string> said = sentences_of("(v == 3 || i > 13) && n > 4", trace::View::compiled);
    EXPECT_FALSE(said.empty());
    EXPECT_THAT(said, Not(Contains(HasSubstr("he condition "))));
}

TEST(Conditions, TooLongForASentenceAreNotNamed) {
    const std::vector<std::string> said =
        sentences_of("in[i] * 3 + 1000 > in[15 - i] * 5 + 1000 || in[i] * 7 + 2000 > in[15 - i] * 9 + 3000");
    EXPECT_THAT(said, Contains(HasSubstr("The condition ")));
}

}  // namespace
}  // namespace lanescope::session
