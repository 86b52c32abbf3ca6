// Each kernel for ints, floats and doubles: by its template, or by the names that its line `elements` lists.
#include "run_support.h"
#include "session/element_types.h"
#include "session/gpu_plan.h"
#include "session/run.h"

#include <gmock/gmock.h>

#include <utility>

namespace lanescope::session {
namespace {

using testing::HasSubstr;

TEST(SweepOfKernels, IsRightInTheOtherTypeOrSaysWhyThereIsNone) {
    std::size_t in_another = 0;
    for (const Program& program : catalog()) {
        if (!program.recipe.expected.fault.empty() || !runs_at_any_launch(program)) continue;
        SCOPED_TRACE(program.name);
        for (const auto& [type, element] :
             {std::pair("int", trace::Element::s32), std::pair("float", trace::Element::f32),
              std::pair("double", trace::Element::f64)}) {
            const auto kernel = kernel_of_type(program, type);
            if (!kernel) {
                EXPECT_NE(why_no_other_type(program), "The kernel is written for one element type.");
                continue;
            }
            if (kernel->empty()) continue;
            const std::uint32_t block = check_block(program, 64) ? 64 : 128;
            const std::uint64_t n =
                std::min<std::uint64_t>(200, *largest_n(program, {.n = 200, .block = block, .grid = 1}));
            Progress progress;
            const auto answer = run({.program = program.name,
                                     .kernel = *kernel,
                                     .n = n,
                                     .block = block,
                                     .input = "random 7",
                                     .view = trace::View::compiled,
                                     .multiprocessors = 2},  // the other type is the instance that is timed
                                    progress);
            ASSERT_TRUE(answer) << answer.error().problem.message();
            EXPECT_EQ((*answer)->verdict.ok, true);
            EXPECT_EQ((*answer)->verdict.element, element) << *kernel;
            EXPECT_TRUE((*answer)->trace().findings.empty()) << *kernel;
            ++in_another;
        }
    }
    EXPECT_GE(in_another, cannot_run_programs() ? 80U : 102U);
}

TEST(Elements, NothingChangesButTheTypeOfTheNamesThatAreListed) {
    const Program& program = *find_program("reduce/maximum");
    const auto other = with_kernel(program, "maximum<float>");
    ASSERT_TRUE(other) << other.error().message();
    EXPECT_THAT(other->source.text, HasSubstr("void maximum(const float* in, float* out, int n)"));
    EXPECT_THAT(other->source.text, HasSubstr("extern __shared__ float sdata[];"));
    EXPECT_THAT(other->source.text, HasSubstr("int i = blockIdx.x"));
    EXPECT_EQ(other->source.text.size(), program.source.text.size() + 3 * (sizeof "float" - sizeof "int"));
    EXPECT_EQ(with_kernel(program, "maximum<int>")->source.text, program.source.text);
    ASSERT_FALSE(other->notes.empty());
    EXPECT_THAT(other->notes.front(), HasSubstr("in, out, sdata"));
}

TEST(Elements, ADoubleTakesTheRoomOfEightBytes) {
    const Program& sequential = *find_program("reduce/sequential");
    const auto doubles = with_kernel(sequential, sequential.recipe.kernel + "<double>");
    ASSERT_TRUE(doubles) << doubles.error().message();
    EXPECT_EQ(sequential.recipe.shared, "block * sizeof(int)");
    EXPECT_EQ(doubles->recipe.shared, "block * sizeof(double)");
    const auto host = with_kernel(*find_program("scan/three-launches"), "scan<double>");
    ASSERT_TRUE(host) << host.error().message();
    EXPECT_THAT(host->source.text, HasSubstr("cudaMalloc(&sums, blocks * sizeof(double));"));
    EXPECT_THAT(host->source.text, HasSubstr("int shared = block * sizeof(double);"));
}

TEST(Elements, WordsOfAFlagAndAValueTakeNoDouble) {
    for (const char* name : {"reduce/flagged-sums", "scan/look-back"}) {
        EXPECT_TRUE(kernel_of_type(*find_program(name), "float").has_value());
        EXPECT_FALSE(kernel_of_type(*find_program(name), "double").has_value());
        EXPECT_THAT(why_no_other_type(*find_program(name)), HasSubstr("four bytes"));
    }
}

TEST(Elements, AListedNameThatNothingDeclaresIsReported) {
    const auto program = program_from_source(
        "__global__ void k(int* a, unsigned int* b) { a[0] = b[0]; }\n// lanescope: elements = a, b\n", "k.cu");
    ASSERT_TRUE(program) << program.error().message();
    const auto other = with_kernel(*program, "k<float>");
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error().what, HasSubstr("with the name b"));
}

}  // namespace
}  // namespace lanescope::session
