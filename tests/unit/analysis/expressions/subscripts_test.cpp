// Accesses of shared memory are named as the source's line names them.
#include "unit/analysis/kernels.h"

#include "analysis/expressions/access_text.h"
#include "analysis/panels/bank_picture.h"
#include "analysis/source/source_line.h"
#include "places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace lanescope::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using Use = Subscript::Use;

std::string text_of_file(const std::string& name) {
    std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/unit/analysis/data/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<std::string> texts(std::string_view line, std::string_view array) {
    std::vector<std::string> all;
    for (const Subscript& each : subscripts_of(line, array)) all.push_back(each.text);
    return all;
}

Use only_use(std::string_view line) {
    const auto all = subscripts_of(line, "a");
    EXPECT_EQ(all.size(), 1U) << line;
    return all.empty() ? Use::read : all.front().use;
}

TEST(Subscripts, AreTheIndicesAfterTheName) {
    EXPECT_THAT(texts("tile[threadIdx.y][threadIdx.x] = in[i];", "tile"),
                ElementsAre("tile[threadIdx.y][threadIdx.x]"));
    EXPECT_THAT(texts("a[b[i]] += a[i + 1];", "a"), ElementsAre("a[b[i]]", "a[i + 1]"));
    EXPECT_THAT(texts("a [ i ]  [j] = data[i] + aa[i] + a_[i];", "a"), ElementsAre("a [ i ] [j]"));
    EXPECT_THAT(texts("x = a[i] + // a[i + 1]", "a"), ElementsAre("a[i]"));
    EXPECT_THAT(texts("atomicAdd(&a[c - 'a'], 1);", "a"), ElementsAre("a[c - 'a']")) << "a character is an index";
    EXPECT_THAT(texts("x = a[c - ']' /* b */];", "a"), ElementsAre("a[c - ']' ]"));
    EXPECT_THAT(texts("printf(\"a[%d]\", i /* a[j] */);", "a"), IsEmpty());
    EXPECT_THAT(texts("x = a[i", "a"), IsEmpty()) << "goes on in the next line";
    EXPECT_THAT(texts("x = a + 1;", "a"), IsEmpty());
    EXPECT_THAT(texts("", "a"), IsEmpty());
    EXPECT_THAT(texts("a[i]", ""), IsEmpty());
}

TEST(Subscripts, SayWhatIsDoneToTheElement) {
    EXPECT_EQ(only_use("x = a[i] == 3;"), Use::read);
    EXPECT_EQ(only_use("if (a[i] <= 3) return;"), Use::read);
    EXPECT_EQ(only_use("x = m & a[i];"), Use::read);
    EXPECT_EQ(only_use("if (x && a[i]) return;"), Use::read);
    EXPECT_EQ(only_use("a[i] = 3;"), Use::assigned);
    EXPECT_EQ(only_use("a[i].x = 3;"), Use::assigned);
    EXPECT_EQ(only_use("a[i] += 3;"), Use::changed);
    EXPECT_EQ(only_use("a[i] <<= 3;"), Use::changed);
    EXPECT_EQ(only_use("++a[i];"), Use::changed);
    EXPECT_EQ(only_use("a[i]--;"), Use::changed);
    EXPECT_EQ(only_use("atomicAdd(&a[i], 1);"), Use::address);
    EXPECT_EQ(only_use("p = & a[i];"), Use::address);
}

class NamedAccess : public testing::TestWithParam<trace::View> {};
INSTANTIATE_TEST_SUITE_P(Views, NamedAccess, testing::Values(trace::View::written, trace::View::compiled),
                         [](const auto& chosen) {
                             return chosen.param == trace::View::written ? "as_written" : "as_compiled";
                         });

TEST_P(NamedAccess, IsOfArraysOfTwoDimensionsAtomicsAndWideElementsAsTheSourceHasIt) {
    KernelRun run;
    run.name = "subscripts";
    run.view = GetParam();
    run.outputs = 4;
    const bool written = run.view == trace::View::written;
    const auto analysis = analysis_of(run, text_of_file(written ? "subscripts.written.ptx" : "subscripts.compiled.ptx"),
                                      text_of_file("subscripts.cu"));
    const BlockPasses& passes = analysis->block_passes(0, BlockId(0));
    std::set<std::string> found;
    for (std::size_t index = 0; index < passes.steps.size(); ++index) {
        const auto picture = named_bank_picture(analysis->view(passes), index);
        if (picture) found.insert(picture->access);
    }
    EXPECT_THAT(found, UnorderedElementsAre("counts[tid]", "tile[row][column]", "tile[column][row]",
                                            "counts[tile[column][row] & 7]", "quads[7 - tid]", "quads[tid + 4]"));

    const std::string narration = narration_of(*analysis);
    EXPECT_THAT(narration, testing::Not(testing::HasSubstr("_Z"))) << "names as the linker has them";
    EXPECT_THAT(narration, testing::HasSubstr("the address of tile."));
}

TEST(LibraryNames, AreThoseOfTheDocumentation) {
    EXPECT_EQ(library_name_of("_Z9atomicAddPjj"), "atomicAdd");
    EXPECT_EQ(library_name_of(
                  "_ZN3cub17CUB_300001_SM_75011BlockReduceIiLi64ELNS0_20BlockReduceAlgorithmE2ELi1ELi1ELi0EE3SumEi"),
              "cub::BlockReduce::Sum");
    EXPECT_EQ(library_name_of("_ZN18cooperative_groups4__v112thread_block4syncEv"),
              "cooperative_groups::thread_block::sync");
    EXPECT_EQ(library_name_of("vprintf"), "vprintf");
}

}  // namespace
}  // namespace lanescope::analysis
