// Values that another block of the launch wrote while the block ran: no cell above shows them in Passes, so the node
// that reads one names the block and has no arc from a cell with another value.
#include "analysis/analysis.h"

#include "unit/session/run_support.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using analysis::FromBlock;
using analysis::Node;
using analysis::Picture;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;

/// The nodes that write to that array.
std::vector<Node> nodes_of(const Picture& picture, const std::string& array) {
    std::vector<Node> nodes;
    for (const analysis::PictureRow& row : picture.rows)
        for (const Node& node : row.nodes)
            if (picture.group_of(node.column).name == array) nodes.push_back(node);
    return nodes;
}

TEST(ValuesOfOtherBlocks, NameTheBlockWhereTheCellAboveShowsAnOlderValue) {
    const auto run = run_of({.program = "scan/chained-blocks"});
    ASSERT_NE(run, nullptr);
    const Picture& picture = run->analysis->picture(0, BlockId(2));
    const std::vector<Node> before = nodes_of(picture, "before");
    ASSERT_FALSE(before.empty());
    EXPECT_THAT(before.back().from_blocks, ElementsAre(Field(&FromBlock::block, BlockId(1))));
    EXPECT_THAT(before.back().sources, IsEmpty()) << "the cell of sum_so_far shows 0";
    for (const Node& node : nodes_of(picture, "temp")) EXPECT_THAT(node.from_blocks, IsEmpty());
    for (const Node& node : nodes_of(picture, "out")) EXPECT_THAT(node.from_blocks, IsEmpty());
}

TEST(ValuesOfOtherBlocks, NameTheBlockWhereNoCellShowsThem) {
    const ScratchFolder folder;
    const auto run = run_of({.program = folder.add("neighbor.cu", R"(// lanescope: arg in = input(n)
// lanescope: arg out = zeros(n)
// lanescope: arg carry = zeros(n)
// lanescope: arg ready = zeros(n)
// lanescope: block = 8
// lanescope: grid = 3
// lanescope: n = 24
__global__ void neighbor(const int* in, int* out, volatile int* carry, volatile int* ready)
{
    __shared__ int sum[8];
    __shared__ int before;
    int t = threadIdx.x, b = blockIdx.x, i = b * 8 + t;
    sum[t] = in[i];
    __syncthreads();
    if (t == 0) {
        int all = 0, carried = 0;
        for (int j = 0; j < 8; ++j) all += sum[j];
        if (b > 0) {
            while (ready[b - 1] == 0) {}
            __threadfence();
            carried = carry[b - 1];
        }
        before = carried;
        carry[b] = carried + all;
        __threadfence();
        ready[b] = 1;
    }
    __syncthreads();
    out[i] = sum[t] + before;
}
)")});
    ASSERT_NE(run, nullptr);
    const std::vector<Node> before = nodes_of(run->analysis->picture(0, BlockId(2)), "before");
    ASSERT_FALSE(before.empty());
    EXPECT_THAT(before.back().from_blocks, ElementsAre(Field(&FromBlock::block, BlockId(1))));
    for (const Node& node : nodes_of(run->analysis->picture(0, BlockId(0)), "before"))
        EXPECT_THAT(node.from_blocks, IsEmpty());
}

}  // namespace
}  // namespace lanescope::session
