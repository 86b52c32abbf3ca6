// The output of `lanescope check --thorough` while it runs: a line for each kernel as it ends, those with few elements
// first.

#include "unit/cli/command_answer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace lanescope::cli {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

TEST(ThoroughCheck, SaysOfEachKernelWhenItEndsThoseWithFewElementsFirst) {
    const CommandAnswer answer = answer_of({"check", "apply/histogram", "apply/radix-split", "--thorough"});
    EXPECT_EQ(answer.code, 0);
    EXPECT_THAT(answer.err, MatchesRegex("1 of 2: apply/radix-split, [0-9]+ runs, [0-9.]+ s; [0-9.]+ s so far\n"
                                         "2 of 2: apply/histogram, [0-9]+ runs, [0-9.]+ s; [0-9.]+ s so far\n"));
    // The report keeps the requested order.
    EXPECT_LT(answer.out.find("apply/histogram"), answer.out.find("apply/radix-split"));
}

TEST(ThoroughCheck, SaysNothingOfALoneKernelBeforeItsReport) {
    EXPECT_THAT(answer_of({"check", "apply/radix-split", "--thorough"}).err, IsEmpty());
    EXPECT_THAT(answer_of({"check", "apply/radix-split", "apply/partition"}).err, IsEmpty());
}

TEST(ThoroughCheck, SaysAtOnceWhatIsWrong) {
    const auto file = std::filesystem::temp_directory_path() / "lanescope_check_test.cu";
    std::ofstream(file) << "// lanescope: oracle = inclusive-scan\n"
                           "// lanescope: output = out\n"
                           "// lanescope: arg in = input(n)\n"
                           "// lanescope: arg out = zeros(n)\n"
                           "// lanescope: arg n = n\n"
                           "// lanescope: grid = ceil(n / block)\n"
                           "__global__ void copy(const int* in, int* out, int n) {\n"
                           "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                           "    if (i < n) out[i] = in[i];\n"
                           "}\n";
    const CommandAnswer answer = answer_of({"check", file.string(), "apply/radix-split", "--thorough"});
    std::filesystem::remove(file);
    EXPECT_EQ(answer.code, 1);
    EXPECT_THAT(answer.err, HasSubstr(" WRONG, "));
    EXPECT_THAT(answer.err, HasSubstr(" and should be "));
}

}  // namespace
}  // namespace lanescope::cli
