#include "ptx/graph.h"

#include <gmock/gmock.h>
#include <random>
#include <set>

namespace lanescope::ptx {
namespace {

using testing::ElementsAre;
constexpr std::uint32_t no_dominator = unreachable;

/// By the definition, in cubic time: d post-dominates n when n cannot reach an end without passing d.
std::vector<std::uint32_t> post_dominators_by_definition(const Graph& graph) {
    const auto size = static_cast<std::uint32_t>(graph.size());
    const auto reaches_end_without = [&](std::uint32_t from, std::uint32_t banned) {
        std::vector<bool> seen(size, false);
        std::vector<std::uint32_t> stack{from};
        while (!stack.empty()) {
            const std::uint32_t node = stack.back();
            stack.pop_back();
            if (node == banned || seen[node]) continue;
            seen[node] = true;
            if (graph[node].empty()) return true;
            stack.insert(stack.end(), graph[node].begin(), graph[node].end());
        }
        return false;
    };
    std::vector<std::uint32_t> immediate(size, no_dominator);
    for (std::uint32_t node = 0; node < size; ++node) {
        std::set<std::uint32_t> dominators;
        for (std::uint32_t other = 0; other < size; ++other)
            if (other != node && !reaches_end_without(node, other)) dominators.insert(other);
        // The immediate post-dominator is the one that all others post-dominate.
        for (const std::uint32_t candidate : dominators) {
            bool nearest = true;
            for (const std::uint32_t other : dominators)
                if (other != candidate && reaches_end_without(candidate, other)) nearest = false;
            if (nearest) immediate[node] = candidate;
        }
    }
    return immediate;
}

TEST(PostDominators, OfAStraightLineAreTheNextNodes) {
    EXPECT_THAT(immediate_post_dominators({{1}, {2}, {}}), ElementsAre(1, 2, no_dominator));
}

TEST(PostDominators, OfABranchAreWhereItsSidesMeet) {
    EXPECT_THAT(immediate_post_dominators({{1, 2}, {3}, {3}, {}}), ElementsAre(3, 3, 3, no_dominator));
}

TEST(PostDominators, OfABranchThatSkipsIsItsTarget) {
    EXPECT_THAT(immediate_post_dominators({{1, 2}, {2}, {}}), ElementsAre(2, 2, no_dominator));
}

TEST(PostDominators, OfALoopsTestIsWhatFollowsTheLoop) {
    // 0 enters, 1 tests, 2 is the body, 3 follows
    EXPECT_THAT(immediate_post_dominators({{1}, {2, 3}, {1}, {}}), ElementsAre(1, 3, 1, no_dominator));
}

TEST(PostDominators, OfASideThatReturnsAreTheEnd) {
    EXPECT_THAT(immediate_post_dominators({{1, 2}, {}, {}}), ElementsAre(no_dominator, no_dominator, no_dominator));
}

TEST(PostDominators, OfNestedBranchesNest) {
    EXPECT_THAT(immediate_post_dominators({{1, 5}, {2, 3}, {4}, {4}, {6}, {6}, {}}),
                ElementsAre(6, 4, 4, 4, 6, 6, no_dominator));
}

TEST(PostDominators, InAnInfiniteLoopLeadToWhereItsSidesMeetAndToItsHeader) {
    // 0 enters; 1 branches to 2 or 3, which meet in 4; 4 goes back to 1
    EXPECT_THAT(immediate_post_dominators({{1}, {2, 3}, {4}, {4}, {1}}), ElementsAre(1, 4, 4, 4, 1));
    EXPECT_THAT(immediate_post_dominators({{0}}), ElementsAre(0));
    // The same loop, whose last node stands before its header in the text.
    EXPECT_THAT(immediate_post_dominators({{2}, {2}, {1, 3}, {1}}), ElementsAre(2, 2, 1, 1));
    // Both sides go back to the header.
    EXPECT_THAT(immediate_post_dominators({{1}, {2}, {3, 4}, {1}, {1}}), ElementsAre(1, 2, 1, 1, 1));
}

TEST(PostDominators, OfABranchIntoAnInfiniteLoopOrOutAreTheEnd) {
    EXPECT_THAT(immediate_post_dominators({{1, 2}, {1}, {}}), ElementsAre(no_dominator, 1, no_dominator));
}

TEST(PostDominators, OfUnreachableNodesAreFoundToo) {
    EXPECT_THAT(immediate_post_dominators({{2}, {2}, {}}), ElementsAre(2, 2, no_dominator));
}

TEST(PostDominators, OfIrreducibleLoopsFollowTheDefinition) {
    // Two entries into the loop 1 <-> 2
    const Graph graph{{1, 2}, {2, 3}, {1, 3}, {}};
    EXPECT_THAT(immediate_post_dominators(graph), ElementsAre(3, 3, 3, no_dominator));
}

TEST(PostDominators, FollowTheDefinitionOnRandomGraphs) {
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        const auto size = 2 + random() % 9;
        Graph graph(size);
        for (std::uint32_t node = 0; node + 1 < size; ++node) {
            graph[node].push_back(static_cast<std::uint32_t>(random() % size));
            if (random() % 2 != 0) graph[node].push_back(static_cast<std::uint32_t>(random() % size));
        }
        // The definition does not cover loops without an exit, so give every node a path to the end.
        for (std::uint32_t node = 0; node + 1 < size; ++node)
            if (random() % 3 == 0) graph[node].push_back(static_cast<std::uint32_t>(size - 1));
        const Components components = strongly_connected(graph);
        bool ends_everywhere = true;
        for (std::uint32_t node = 0; node < size; ++node)
            if (components.of[node] == 0 && !graph[node].empty()) ends_everywhere = false;
        std::vector<bool> left(components.count, false);
        for (std::uint32_t node = 0; node < size; ++node)
            for (const std::uint32_t to : graph[node])
                left[components.of[node]] = left[components.of[node]] || components.of[to] != components.of[node];
        for (std::uint32_t node = 0; node < size; ++node)
            if (!left[components.of[node]] && !graph[node].empty()) ends_everywhere = false;
        if (!ends_everywhere) continue;
        EXPECT_EQ(immediate_post_dominators(graph), post_dominators_by_definition(graph)) << "round " << round;
    }
}

TEST(PostDominators, OfALongChainNeedNoDeepStack) {
    constexpr std::uint32_t size = 300'000;
    Graph graph(size);
    for (std::uint32_t node = 0; node + 1 < size; ++node) graph[node] = {node + 1};
    EXPECT_EQ(immediate_post_dominators(graph)[0], 1U);
}

TEST(StronglyConnected, ComponentsAreNumberedAgainstTheEdges) {
    const Components components = strongly_connected({{1}, {2}, {1, 3}, {}});
    EXPECT_EQ(components.count, 3U);
    EXPECT_EQ(components.of[1], components.of[2]);
    EXPECT_GT(components.of[0], components.of[1]);
    EXPECT_GT(components.of[1], components.of[3]);
}

}  // namespace
}  // namespace lanescope::ptx
