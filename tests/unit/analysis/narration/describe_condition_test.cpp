// The narration states conditions as the source writes them for all lanes, or says that they are unknown; it never
// names the element of a single lane.
#include "unit/analysis/kernels.h"

#include "places.h"

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <string>

namespace lanescope::analysis {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string text_of_file(const std::string& name) {
    std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/unit/analysis/data/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

/// Of a block of 8 lanes that compare, swap and write; `source`: of the kernel, or nothing.
std::string narration_of_flags(const std::string& source) {
    KernelRun run;
    run.name = "flags";
    run.threads = 8;
    return narration_of(*analysis_of(run, text_of_file("flags.written.ptx"), source));
}

TEST(Conditions, OfElementsAndOfFlagsStandAsInTheSource) {
    EXPECT_THAT(narration_of_flags(text_of_file("flags.cu")),
                AllOf(HasSubstr("hand[i].rank > hand[i + 2].rank holds for lanes"),
                      HasSubstr("(hand[i].rank > hand[i + 2].rank) == up holds for"),
                      HasSubstr("selects 1 by (i & 4) == 0."), Not(HasSubstr("1 == up")), Not(HasSubstr("0 == up"))));
}

TEST(Conditions, OfElementsThatOnlyOneLaneReadsAreNotSaidOfAll) {
    EXPECT_THAT(narration_of_flags("// The source is not at hand."),
                AllOf(HasSubstr("The condition holds for"), Not(HasSubstr("].rank > hand["))));
}

TEST(Conditions, NegatedAreTrueOrFalse) {
    EXPECT_THAT(narration_of_flags(text_of_file("flags.cu")),
                AllOf(HasSubstr("!((hand[i].rank > hand[i + 2].rank) == up) is true for"),
                      HasSubstr(", false for the other"), Not(HasSubstr("negation"))));
    EXPECT_THAT(narration_of_flags("// The source is not at hand."), HasSubstr("The negated condition is true for"));
}

}  // namespace
}  // namespace lanescope::analysis
