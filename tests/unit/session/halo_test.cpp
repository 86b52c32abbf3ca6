// Halos of stencils as courses write them, without a declaration or a name that indicates the halo.
#include "analysis/passes_picture/picture.h"
#include "unit/session/run_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace lanescope::session {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The numbers, in its array, of the cells of the first block's halo.
std::vector<std::uint32_t> halo_in(const Run& run, const std::string& array) {
    const analysis::Picture& picture = run.analysis->picture(0, BlockId(0));
    std::vector<std::uint32_t> cells;
    for (const analysis::ColumnGroup& group : picture.groups) {
        if (group.name != array || picture.halo.empty()) continue;
        for (std::uint32_t number = 0; number < group.count; ++number)
            if (picture.halo[group.first_column + number]) cells.push_back(number);
    }
    return cells;
}

std::string tile_with(const std::string& left) {
    return R"(__global__ void blur(const int* in, int* out, int n) {
    __shared__ int tile[18];
    int t = threadIdx.x, i = blockIdx.x * 16 + t;
    tile[t + 1] = in[i];
    if (t == 0) tile[0] = i > 0 ? in[i - 1] : )" +
           left + R"(;
    if (t == 15) tile[17] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = tile[t] + tile[t + 1] + tile[t + 2];
})";
}

TEST(Halo, IsAlsoWhatStandsForElementsPastTheBorder) {
    const ScratchFolder folder;
    const auto zero = run_of({.program = folder.add("zero.cu", tile_with("0")), .n = 48, .block = 16, .grid = 3});
    ASSERT_NE(zero, nullptr);
    EXPECT_THAT(halo_in(*zero, "tile"), ElementsAre(0, 17));
    const auto copy = run_of({.program = folder.add("copy.cu", tile_with("in[i]")), .n = 48, .block = 16, .grid = 3});
    ASSERT_NE(copy, nullptr);
    EXPECT_THAT(halo_in(*copy, "tile"), ElementsAre(0, 17));
}

TEST(Halo, IsFoundWhereOutputsDependOnItThroughConditionsAlone) {
    const ScratchFolder folder;
    const auto run =
        run_of({.program = folder.add("peaks.cu", R"(__global__ void peaks(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 1 || i + 1 >= n) return;
    if (in[i] > in[i - 1] && in[i] > in[i + 1]) out[i] = 1;
    else out[i] = 0;
})"),
                .n = 48,
                .block = 16,
                .grid = 3});
    ASSERT_NE(run, nullptr);
    // In turn used, the two arrays share the columns of the block's 16 outputs.
    EXPECT_THAT(halo_in(*run, "in / out"), ElementsAre(0));
}

TEST(Halo, IsNothingThatIsReadElsewhere) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("turn.cu", R"(__global__ void turn(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[n - 1 - i] + in[i];
})"),
                             .n = 48,
                             .block = 16,
                             .grid = 3});
    ASSERT_NE(run, nullptr);
    EXPECT_THAT(run->analysis->picture(0, BlockId(0)).halo, IsEmpty());
}

}  // namespace
}  // namespace lanescope::session
