// Bank conflicts of whole launches equal those of an NVIDIA H200's counter.
#include "analysis/costs.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/panels/bank_picture.h"
#include "run_support.h"
#include "session/hardware_counts.h"

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::shared_ptr<const Run> run_of(const std::string& kernel, std::uint64_t record_blocks) {
    Progress progress;
    const auto answer =
        run({.program = kernel, .n = 4096, .block = 256, .view = trace::View::compiled, .record_blocks = record_blocks},
            progress);
    EXPECT_TRUE(answer) << answer.error().problem.message();
    return answer ? *answer : nullptr;
}

std::vector<std::optional<analysis::SharedConflicts>> conflicts_of(const Run& run) {
    return analysis::shared_conflicts(run.trace(), {run.module(), run.trace().registers});
}

/// l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum and _st of the first launch, 4096 elements, blocks of 256
/// (driver 580.159.04, ncu of CUDA 13.0).
struct Measured {
    const char* kernel;
    std::uint64_t loads, stores;
};

TEST(BankConflicts, AreThoseThatAnH200Counts) {
    for (const auto& [kernel, loads, stores] : {Measured{"reduce/interleaved-modulo", 0, 0},
                                                {"reduce/strided-index", 1120, 560},
                                                {"reduce/sequential", 0, 0},
                                                {"scan/padded", 0, 0},
                                                {"scan/up-sweep-down-sweep", 3000, 1800}}) {
        SCOPED_TRACE(kernel);
        const auto run = run_of(kernel, 16);
        ASSERT_TRUE(run);
        const auto launches = conflicts_of(*run);
        ASSERT_FALSE(launches.empty());
        ASSERT_TRUE(launches.front());
        EXPECT_EQ(launches.front()->loads, loads);
        EXPECT_EQ(launches.front()->stores, stores);
        const trace::Counts& counts = run->trace().totals();
        EXPECT_EQ(sum(emulated_counters(*run)).shared_load_conflicts,
                  counts.shared_load_wavefronts - counts.shared_load_instructions)
            << "of words";
    }
}

TEST(BankConflicts, IsNotKnownWhereABlockWasNotRecorded) {
    const auto run = run_of("reduce/strided-index", 3);
    ASSERT_TRUE(run);
    EXPECT_FALSE(conflicts_of(*run).front());
    EXPECT_FALSE(sum(emulated_counters(*run)).shared_load_conflicts);
}

TEST(BankConflicts, DiffersOnlyWhereBothKnowItAndIsExplained) {
    CountedBuild build{.kernel = "one", .view = trace::View::compiled};
    build.emulator = {.shared_load_wavefronts = 65, .shared_load_conflicts = 16};
    build.hardware = {.shared_load_wavefronts = 65};
    EXPECT_TRUE(are_equal(build.hardware, build.emulator));
    build.hardware.shared_load_conflicts = 0;
    EXPECT_FALSE(are_equal(build.hardware, build.emulator));
    EXPECT_THAT(why_they_differ(build, nullptr), AllOf(HasSubstr("0 conflicts of shared loads, the emulator 16"),
                                                       HasSubstr("wider or narrower"), Not(HasSubstr("Arbitration"))));
    build.hardware.shared_load_conflicts = 16;
    EXPECT_THAT(why_they_differ(build, nullptr), IsEmpty());
}

/// Reads a tile by columns, then one word for each four lanes.
const std::string tile_file = R"(
__global__ void columns(const int* in, int* out)
{
    __shared__ int tile[16][16];
    int x = threadIdx.x, y = threadIdx.y;
    tile[y][x] = in[y * 16 + x];
    __syncthreads();
    int column = tile[x][y];
    int few = tile[0][(y * 16 + x) % 32 / 4];
    out[y * 16 + x] = column + few;
}
// lanescope: block = 16, 16
// lanescope: arg in = input(256)
// lanescope: arg out = zeros(256)
)";

TEST(BankArithmetic, IsOfRowsOfLanesWhereABlockHasTwoDimensionsAndNamesBroadcasts) {
    const ScratchFolder folder;
    Progress progress;
    const auto answer = run({.program = folder.add("columns.cu", tile_file)}, progress);
    ASSERT_TRUE(answer);
    const analysis::BlockView block = (*answer)->analysis->view(0, BlockId(0));
    std::vector<std::string> arithmetic;
    for (std::size_t index = 0; index < block.passes.steps.size(); ++index) {
        const auto picture = analysis::bank_picture(block, index);
        if (picture && picture->kind == trace::EffectKind::load && block.step_at(index).warp == WarpId(0))
            arithmetic.push_back(picture->arithmetic);
    }
    EXPECT_THAT(
        arithmetic,
        testing::ElementsAre("word w = (lane div 16) + 16·(lane mod 16) is in bank w mod 32: 4 banks, 8 words in each",
                             "word w = (lane div 4) is in bank w mod 32: 8 words in 8 different banks, each for 4 "
                             "lanes (a broadcast)"));
}

}  // namespace
}  // namespace lanescope::session
