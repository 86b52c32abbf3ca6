#include "compile/given_headers.h"

#include "support.h"

#include <gmock/gmock.h>

namespace lanescope::compile {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

TEST(CubHeader, IncludesTheBlockAndWarpClassesThatTheSourceNames) {
    const std::string text = cub_header_for(
        "#include <cub/cub.cuh>\n"
        "typedef cub::BlockRadixSort<int, 128> Sort; using Sum = cub::WarpReduce<int>; int Blocked, Warps;\n");
    EXPECT_THAT(text, AllOf(HasSubstr("#include <cub/block/block_radix_sort.cuh>"),
                            HasSubstr("#include <cub/warp/warp_reduce.cuh>"), Not(HasSubstr("blocked")),
                            Not(HasSubstr("warps"))));
}

TEST(CubHeader, IsEmptyForASourceThatDoesNotIncludeIt) {
    EXPECT_EQ(cub_header_for("#include <cub/block/block_reduce.cuh>\ntypedef cub::BlockReduce<int, 128> R;\n"), "");
}

const std::string reduction =
    "#include <cub/cub.cuh>\n"
    "__global__ void k(const int* in, int* out) {\n"
    "    typedef cub::BlockReduce<int, 128> R;\n"
    "    __shared__ typename R::TempStorage t;\n"
    "    int a = R(t).Sum(in[threadIdx.x]);\n"
    "    if (threadIdx.x == 0) out[0] = a;\n"
    "}\n";

TEST(CubHeader, LetsABlockReductionCompile) {
    NEEDS_NVRTC();
    const auto output = compile_uncached({.source = reduction});
    if (!output) {
        // Without CUB's headers there is nothing to include.
        EXPECT_THAT(output.error().problem.message(), HasSubstr("cub"));
        GTEST_SKIP() << output.error().problem.message();
    }
    EXPECT_TRUE(output->names.contains("k"));
}

TEST(CubHeader, SaysWhatItIncludesWhereThatDoesNotSuffice) {
    NEEDS_NVRTC();
    const auto output = compile_uncached(
        {.source = "#include <cub/cub.cuh>\n__global__ void k(int* out) { out[0] = cub::NoSuchThing<int>(); }\n"});
    ASSERT_FALSE(output);
    EXPECT_THAT(output.error().diagnostics,
                Contains(Field(&Diagnostic::text, HasSubstr("include others by their own name"))));
}

}  // namespace
}  // namespace lanescope::compile
