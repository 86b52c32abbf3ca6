// Brent's theorem holds for the operations that kernels performed, and the schedule is what a naive scheduler makes.
#include "analysis/theory/greedy_schedule.h"

#include "unit/analysis/hand_made.h"
#include "unit/analysis/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace lanescope::analysis {
namespace {

using trace::View;

struct Scheduled {
    std::uint64_t steps = 0;
    bool sound = true;  // no operation before those that it needs, and each exactly once
};

/// Examines all nodes in every step and schedules the ready operations with the longest chain after them, then the
/// first ones. The length of a chain is recomputed by recursion over the nodes that depend on it.
Scheduled naive_schedule(const OperationGraph& graph, std::uint64_t processors) {
    std::vector<std::uint64_t> chain(graph.size());
    for (std::size_t node = graph.size(); node-- > 0;) {
        std::uint64_t longest = 0;
        for (std::size_t user = node + 1; user < graph.size(); ++user) {
            if (std::ranges::find(graph.needs(user), node) != graph.needs(user).end())
                longest = std::max(longest, chain[user]);
        }
        chain[node] = longest + (graph[node].operation ? 1 : 0);
    }
    constexpr std::uint64_t never = ~std::uint64_t{0};
    std::vector<std::uint64_t> done(graph.size(), never);
    const auto needs_done = [&](std::size_t node) {
        return std::ranges::all_of(graph.needs(node), [&](std::uint32_t need) { return done[need] != never; });
    };
    Scheduled result;
    std::uint64_t performed = 0;
    while (performed < graph.work()) {
        // Joins take no step, and operands have smaller numbers than the nodes that need them.
        for (std::size_t node = 0; node < graph.size(); ++node) {
            if (!graph[node].operation && done[node] == never && needs_done(node)) done[node] = result.steps;
        }
        ++result.steps;
        std::vector<std::size_t> ready;
        for (std::size_t node = 0; node < graph.size(); ++node) {
            if (graph[node].operation && done[node] == never && needs_done(node)) ready.push_back(node);
        }
        std::ranges::stable_sort(ready, std::greater(), [&](std::size_t node) { return chain[node]; });
        if (ready.size() > processors) ready.resize(processors);
        if (ready.empty()) return {.steps = result.steps, .sound = false};
        for (const std::size_t node : ready) done[node] = result.steps;
        performed += ready.size();
    }
    for (std::size_t node = 0; node < graph.size(); ++node) {
        for (const std::uint32_t need : graph.needs(node)) {
            if (graph[node].operation && graph[need].operation && done[need] >= done[node]) result.sound = false;
        }
    }
    return result;
}

struct Named {
    const char* name;
    unsigned n;
};

class BrentsTheorem : public testing::TestWithParam<Named> {};
INSTANTIATE_TEST_SUITE_P(Kernels, BrentsTheorem,
                         testing::Values(Named{"reduce/interleaved_modulo", 64}, Named{"reduce/strided_index", 32},
                                         Named{"reduce/sequential", 64}, Named{"reduce/two_elements", 16},
                                         Named{"scan/double_buffered", 32}),
                         [](const auto& chosen) {
                             std::string name = chosen.param.name;
                             std::ranges::replace(name, '/', '_');
                             return name;
                         });

TEST_P(BrentsTheorem, HoldsForEveryNumberOfProcessors) {
    for (const View view : {View::written, View::compiled}) {
        const auto analysis = analysis_of(kernel_run(GetParam().name, view, GetParam().n, iota(GetParam().n)));
        const OperationGraph graph(*analysis->trace, *analysis->provenance);
        ASSERT_EQ(graph.work(), analysis->work);
        ASSERT_EQ(graph.span(), analysis->span);
        const GreedySchedule greedy(graph);
        const std::uint64_t work = graph.work(), span = graph.span();
        for (std::uint64_t p = 1; p <= work + 1; ++p) {
            const std::uint64_t steps = greedy.steps(p);
            const auto processors = static_cast<double>(p);
            EXPECT_GE(steps, (work + p - 1) / p) << p;
            EXPECT_GE(steps, span) << p;
            EXPECT_GE(static_cast<double>(steps), least_steps(work, span, processors)) << p;
            // In whole numbers: p x steps <= p x t + W - t.
            EXPECT_LE(p * steps, p * span + work - span) << p;
            EXPECT_LE(static_cast<double>(steps), brent_bound(work, span, processors) + 1e-9) << p;
            const Scheduled naive = naive_schedule(graph, p);
            EXPECT_TRUE(naive.sound) << p;
            EXPECT_EQ(steps, naive.steps) << p;
        }
        EXPECT_EQ(greedy.steps(1), work);
        EXPECT_EQ(greedy.steps(work), span);
    }
}

TEST(GreedySchedule, OfATreeOf16On4ProcessorsTakes5StepsOfAtMost6) {
    const auto analysis = analysis_of(kernel_run("reduce/sequential", View::written, 16, classic));
    const OperationGraph graph(*analysis->trace, *analysis->provenance);
    EXPECT_DOUBLE_EQ(brent_bound(graph.work(), graph.span(), 4), 6.75);
    // 8 additions in two steps, then 4, 2 and 1.
    EXPECT_EQ(GreedySchedule(graph).steps(4), 5U);
    EXPECT_EQ(graph.width(), 8U);
}

/// Thread 0 adds four numbers one after the other; thread 1 adds two pairs that depend on nothing.
HandMade chain_and_pairs() {
    HandMade made(R"(
        ld.global.s32 %r0, [%rd0];
        ld.global.s32 %r1, [%rd0+4];
        ld.global.s32 %r2, [%rd0+8];
        add.s32 %r3, %r0, %r1;
        add.s32 %r4, %r3, %r2;
        add.s32 %r5, %r0, %r2;
        st.global.s32 [%rd1], %r4;
        st.global.s32 [%rd1+8], %r5;
        ret;)",
                  2);
    const LaneMask both = LaneMask::first(2);
    made.step("%r0, [%rd0]", both).load(trace::Space::global, 4, {0x1000, 0x1010}, {100, 104}).write("%r0", {100, 104});
    made.step("%r1, [%rd0+4]", both)
        .load(trace::Space::global, 4, {0x1004, 0x1014}, {101, 105})
        .write("%r1", {101, 105});
    made.step("%r2, [%rd0+8]", both)
        .load(trace::Space::global, 4, {0x1008, 0x1018}, {102, 106})
        .write("%r2", {102, 106});
    return made;
}

TEST(OperationGraph, HasAThreadsIndependentOperationsInAStepEachOnlyOnTheLongestChain) {
    HandMade made = chain_and_pairs();
    const LaneMask both = LaneMask::first(2);
    made.step("add.s32 %r3", both).write("%r3", {201, 209});
    made.step("add.s32 %r4", both).write("%r4", {303, 315});
    made.step("add.s32 %r5", both).write("%r5", {202, 210});
    made.step("[%rd1], %r4", both).store(trace::Space::global, 4, {0x2000, 0x2004}, {303, 315});
    made.step("[%rd1+8], %r5", both).store(trace::Space::global, 4, {0x2008, 0x200C}, {202, 210});
    const auto trace = made.finish();
    const Provenance provenance(trace, made.module());
    const OperationGraph graph(*trace, provenance);
    EXPECT_EQ(graph.work(), 6U);
    EXPECT_EQ(graph.span(), 2U);
    EXPECT_EQ(graph.width(), 4U);
    // Each of the two threads has three operations, one at a time.
    EXPECT_EQ(graph.steps_by_launch(1), std::vector<std::uint64_t>{3});
    EXPECT_EQ(GreedySchedule(graph).steps(2), 3U);
    EXPECT_EQ(GreedySchedule(graph).steps(4), 2U);
}

TEST(GreedySchedule, PerformsThoseWithTheLongestChainAfterThemFirst) {
    HandMade made = chain_and_pairs();
    const LaneMask both = LaneMask::first(2);
    made.step("add.s32 %r5", both).write("%r5", {202, 210});
    made.step("add.s32 %r3", both).write("%r3", {201, 209});
    made.step("add.s32 %r4", both).write("%r4", {303, 315});
    made.step("[%rd1], %r4", both).store(trace::Space::global, 4, {0x2000, 0x2004}, {303, 315});
    made.step("[%rd1+8], %r5", both).store(trace::Space::global, 4, {0x2008, 0x200C}, {202, 210});
    const auto trace = made.finish();
    const Provenance provenance(trace, made.module());
    const OperationGraph graph(*trace, provenance);
    // Two operations that others need beside one that none needs, then the rest; the recorded order would take 3 steps.
    EXPECT_EQ(GreedySchedule(graph).steps(3), 2U);
    for (std::uint64_t p = 1; p <= 6; ++p) EXPECT_EQ(GreedySchedule(graph).steps(p), naive_schedule(graph, p).steps);
}

TEST(OperationGraph, LeavesOutWhatReachesNoOutput) {
    HandMade made = chain_and_pairs();
    const LaneMask both = LaneMask::first(2);
    made.step("add.s32 %r3", both).write("%r3", {201, 209});
    made.step("add.s32 %r4", both).write("%r4", {303, 315});
    made.step("add.s32 %r5", both).write("%r5", {202, 210});
    made.step("[%rd1+8], %r5", both).store(trace::Space::global, 4, {0x2008, 0x200C}, {202, 210});
    const auto trace = made.finish();
    const Provenance provenance(trace, made.module());
    const OperationGraph graph(*trace, provenance);
    EXPECT_EQ(graph.work(), 2U);
    EXPECT_EQ(graph.span(), 1U);
}

}  // namespace
}  // namespace lanescope::analysis
