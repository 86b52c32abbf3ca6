// The first lecture's kernels, in both views: correct results, and the counts of an H200's counters.
#include "harness.h"

#include <algorithm>
#include <numeric>

namespace lanescope::execute {
namespace {

using trace::Counts;

const std::vector<std::string> views{"written", "compiled"};
const std::vector<std::string> reductions{"interleaved_modulo", "strided_index", "sequential"};

std::vector<int> numbers(std::size_t count) {
    std::vector<int> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<int>(i * 7919 % 1000) - 300;
    return values;
}

std::shared_ptr<const trace::Trace> reduce(const std::string& name, unsigned block, unsigned grid,
                                           const Limits& limits = {}) {
    return Kernel(ptx_of(name))
        .grid(grid)
        .block(block)
        .shared(block * sizeof(int))
        .buffer("in", numbers(std::size_t{grid} * block))
        .buffer("out", std::vector<int>(grid))
        .limits(limits)
        .run();
}

std::vector<int> block_sums(const std::vector<int>& values, unsigned block) {
    std::vector<int> sums;
    for (std::size_t first = 0; first < values.size(); first += block) {
        sums.push_back(std::accumulate(values.begin() + static_cast<std::ptrdiff_t>(first),
                                       values.begin() + static_cast<std::ptrdiff_t>(first + block), 0));
    }
    return sums;
}

TEST(Reductions, SumEachBlockInBothViewsAtEveryBlockSize) {
    for (const std::string& name : reductions) {
        for (const std::string& view : views) {
            for (unsigned block = 2; block <= 1024; block *= 2) {
                const auto trace = reduce(name + "." + view, block, 3);
                EXPECT_EQ(final_of<int>(*trace, "out"), block_sums(numbers(std::size_t{3} * block), block))
                    << name << " " << view << " " << block;
                EXPECT_TRUE(trace->findings.empty()) << name << " " << view << " " << block;
                EXPECT_EQ(trace->totals().operations, 3 * (block - 1)) << name << " " << view << " " << block;
            }
        }
    }
}

TEST(Reductions, CostTheWavefrontsThatTheHardwareCounts) {
    const auto wavefronts = [](const std::string& name) {
        const Counts counts = reduce(name + ".compiled", 256, 1)->totals();
        return std::pair(counts.shared_load_wavefronts, counts.shared_store_wavefronts);
    };
    EXPECT_EQ(wavefronts("interleaved_modulo"), std::pair(95UL, 55UL));
    EXPECT_EQ(wavefronts("strided_index"), std::pair(95UL, 55UL));
    EXPECT_EQ(wavefronts("sequential"), std::pair(25UL, 20UL));
}

TEST(Reductions, CountTheSameWhetherRecordedOrNot) {
    for (const std::string& name : reductions) {
        const auto recorded = reduce(name + ".compiled", 256, 4);
        const auto counted = reduce(name + ".compiled", 256, 4, Limits{.record_blocks = 0});
        EXPECT_EQ(recorded->counts, counted->counts) << name;
        EXPECT_EQ(recorded->launches[0].recorded.size(), 4U);
        EXPECT_TRUE(counted->launches[0].recorded.empty());
        EXPECT_EQ(counted->step_count(), 0U);
    }
}

TEST(Reductions, CountWhatTheirRecordHolds) {
    const auto trace = reduce("interleaved_modulo.compiled", 256, 2);
    Counts counts;
    for (const trace::Step& step : trace->steps()) {
        counts.warp_instructions += step.executed.any() ? 1 : 0;
        counts.thread_instructions += step.executed.count();
        counts.active_thread_instructions += step.active.count();
    }
    const Counts totals = trace->totals();
    EXPECT_EQ(counts.warp_instructions, totals.warp_instructions);
    EXPECT_EQ(counts.thread_instructions, totals.thread_instructions);
    EXPECT_EQ(counts.active_thread_instructions, totals.active_thread_instructions);
    EXPECT_EQ(totals.barriers, 2U * (1 + 8));
    EXPECT_EQ(trace->counts[0].size(), 1U + 1 + 8) << "an epoch a barrier, and one before the first";
}

TEST(TwoElementsAThread, SumsTwiceTheBlock) {
    for (const std::string& view : views) {
        for (unsigned block = 2; block <= 1024; block *= 2) {
            std::vector<float> values(std::size_t{4} * block);
            std::iota(values.begin(), values.end(), 1.0F);
            const auto trace = Kernel(ptx_of("two_elements." + view))
                                   .grid(2)
                                   .block(block)
                                   .shared(2 * block * sizeof(float))
                                   .buffer("input", values)
                                   .buffer("output", std::vector<float>(2))
                                   .run();
            const float half = static_cast<float>(block) * static_cast<float>(2 * block + 1);
            EXPECT_FLOAT_EQ(final_of<float>(*trace, "output")[0], half) << view << " " << block;
            EXPECT_TRUE(trace->findings.empty());
            EXPECT_EQ(trace->totals().operations, 2U * (2 * block - 1));
        }
    }
}

TEST(DoubleBufferedScan, SumsAllBeforeInBothViewsAtAnyBlockSize) {
    for (const std::string& view : views) {
        for (const unsigned block : {2U, 3U, 31U, 32U, 33U, 100U, 256U, 1000U, 1024U}) {
            std::vector<float> values(block);
            for (unsigned i = 0; i < block; ++i) values[i] = static_cast<float>(i % 13);
            std::vector<float> expected(block);
            std::partial_sum(values.begin(), values.end(), expected.begin());
            const auto trace = Kernel(ptx_of("double_buffered." + view))
                                   .block(block)
                                   .shared(2 * block * sizeof(float))
                                   .buffer("X", values)
                                   .buffer("Y", std::vector<float>(block))
                                   .value("len", static_cast<int>(block))
                                   .run();
            EXPECT_EQ(final_of<float>(*trace, "Y"), expected) << view << " " << block;
            EXPECT_TRUE(trace->findings.empty()) << view << " " << block;
        }
    }
}

TEST(DoubleBufferedScan, AddsNineThousandTwoHundredAndSeventeenTimesForAThousandAndTwentyFour) {
    for (const std::string& view : views) {
        const auto trace = Kernel(ptx_of("double_buffered." + view))
                               .block(1024)
                               .shared(2 * 1024 * sizeof(float))
                               .buffer("X", std::vector<float>(1024, 1.0F))
                               .buffer("Y", std::vector<float>(1024))
                               .value("len", 1024)
                               .run();
        EXPECT_EQ(trace->totals().operations, 9217U) << view;
    }
}

}  // namespace
}  // namespace lanescope::execute
