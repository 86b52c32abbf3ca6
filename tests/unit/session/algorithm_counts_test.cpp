// Counts of whole algorithms, without a GPU: the same as in recordings of `lanescope time`.
#include "session/algorithm_counts.h"

#include "run_support.h"
#include "timing/recording_library.h"

#include <gmock/gmock.h>

#include <algorithm>

namespace lanescope::session {
namespace {

std::vector<AlgorithmCounts> counted(const Request& request, std::vector<std::uint64_t> sizes,
                                     const timing::ModeledGpu& machine) {
    std::vector<AlgorithmCounts> all;
    Progress progress;
    count_algorithm(request, sizes, machine, progress,
                    [&](AlgorithmCounts counts) { all.push_back(std::move(counts)); });
    return all;
}

class AlgorithmCountsOf : public testing::TestWithParam<const char*> {};

TEST_P(AlgorithmCountsOf, AreThoseOfTheRecordingUntilOneValueIsLeft) {
    if (find_program(GetParam())->recipe.host) NEEDS_HOST_CODE();
    const timing::RecordingLibrary& library = timing::shipped_recordings();
    const timing::Recording& recording = library[*library.largest()].recording;
    const auto all = counted({.program = GetParam(), .block = 256}, {1U << 10U, 1U << 14U}, modeled_gpu_of(recording));
    ASSERT_EQ(all.size(), 2U);
    for (const AlgorithmCounts& each : all) {
        EXPECT_TRUE(each.emulated);
        const auto recorded = std::ranges::find_if(recording.points, [&](const timing::Point& point) {
            return point.kernel == each.point.kernel && point.n == each.point.n && point.block == each.point.block &&
                   point.element == each.point.element;
        });
        ASSERT_NE(recorded, recording.points.end());
        // The recording's host programs were compiled by NVRTC; nvcc generates fewer instructions from the same source.
        if (!find_program(GetParam())->recipe.host) {
            EXPECT_EQ(each.point.counts->instructions, recorded->counts->instructions);
        }
        EXPECT_EQ(each.point.counts->wavefronts, recorded->counts->wavefronts);
        EXPECT_EQ(each.point.counts->sectors, recorded->counts->sectors);
        EXPECT_EQ(each.point.counts->barriers, recorded->counts->barriers);
        EXPECT_EQ(each.point.launches, recorded->launches);
        EXPECT_EQ(each.point.grid, recorded->grid);
        EXPECT_EQ(each.point.bytes, recorded->bytes);
        EXPECT_EQ(each.point.until_one, recorded->until_one);
    }
}

INSTANTIATE_TEST_SUITE_P(Kernels, AlgorithmCountsOf,
                         testing::Values("reduce/sequential", "reduce/grid-stride", "reduce/until-one-is-left",
                                         "scan/up-sweep-down-sweep"));

TEST(AlgorithmCounts, GoOnBeyondWhatIsEmulated) {
    const timing::ModeledGpu machine{.processors = 132, .limits = model::limits_of(90)};
    const auto all = counted({.program = "reduce/sequential", .block = 1024},
                             {1U << 12U, 1U << 14U, 1U << 16U, std::uint64_t{1} << 30U}, machine);
    ASSERT_EQ(all.size(), 4U);
    const AlgorithmCounts& last = all.back();
    EXPECT_FALSE(last.emulated);
    EXPECT_EQ(last.point.launches, 3U);
    const double each = static_cast<double>(all[2].point.counts->instructions) / static_cast<double>(all[2].point.n);
    EXPECT_NEAR(static_cast<double>(last.point.counts->instructions) / static_cast<double>(last.point.n), each,
                0.05 * each);
}

TEST(AlgorithmCounts, OfAKernelWhoseEveryBlockReadsTheSameElementsAreNone) {
    const timing::ModeledGpu machine{.processors = 132, .limits = model::limits_of(90)};
    const ScratchFolder folder;
    const std::string same =
        folder.add("same.cu", "__global__ void k(const int* in, int* out) { out[blockIdx.x] = in[threadIdx.x]; }\n");
    EXPECT_TRUE(counted({.program = same, .block = 256}, {1U << 10U, 1U << 14U}, machine).empty());
    const std::string each =
        folder.add("each.cu",
                   "__global__ void k(const int* in, int* out, int n) {\n"
                   "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) out[i] = in[i];\n}\n");
    EXPECT_EQ(counted({.program = each, .block = 256}, {1U << 10U, 1U << 14U}, machine).size(), 2U);
}

TEST(AlgorithmCounts, AreNeitherRightNorWrong) {
    const timing::ModeledGpu machine{.processors = 132, .limits = model::limits_of(90)};
    const auto all = counted({.program = "reduce/sequential", .block = 256}, {1U << 10U}, machine);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_TRUE(all.front().point.agrees) << "what differs is crossed out";
    EXPECT_EQ(all.front().point.check, "") << "nothing was there to compare with";
}

TEST(AlgorithmCounts, AreOfTheChartedBlockButWhereAFileSaysWhatItIsWrittenFor) {
    EXPECT_EQ(block_to_estimate(*find_program("reduce/sequential"), 256), 256U);
    const std::string kernel = "__global__ void k(int* out) { out[threadIdx.x] = 1; }\n";
    EXPECT_EQ(block_to_estimate(*program_from_source(kernel, "k.cu"), 256), 256U);
    EXPECT_EQ(block_to_estimate(*program_from_source("// lanescope: block = 64\n" + kernel, "k.cu"), 256), 64U);
    EXPECT_EQ(
        block_to_estimate(
            *program_from_source("// lanescope: block = 16\n// lanescope: block rule = 2 to 1024\n" + kernel, "k.cu"),
            256),
        256U);
}

TEST(AlgorithmCounts, OfWhatIsWrongAreNone) {
    const timing::ModeledGpu machine{.processors = 132, .limits = model::limits_of(90)};
    EXPECT_TRUE(counted({.program = "faulty/missing-barrier", .block = 64}, {1U << 10U, 1U << 12U}, machine).empty());
}

}  // namespace
}  // namespace lanescope::session
