// Questions about small directed graphs, in (nearly) linear time and without recursion: the text may hold any graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::ptx {

/// Node -> the nodes it leads to.
using Graph = std::vector<std::vector<std::uint32_t>>;

/// Component of each node, numbered so that every edge leads to the same or a lower number (Tarjan 1972).
struct Components {
    std::vector<std::uint32_t> of;
    std::uint32_t count = 0;
};
[[nodiscard]] Components strongly_connected(const Graph& graph);

/// The immediate dominator of each node, seen from `root`; the node itself for the root, `unreachable` for what it does
/// not reach (Lengauer and Tarjan 1979, simple path compression).
inline constexpr std::uint32_t unreachable = ~std::uint32_t{0};
[[nodiscard]] std::vector<std::uint32_t> immediate_dominators(const Graph& graph, std::uint32_t root);

/// The immediate post-dominator of each node: the first node through which every way to the end leads; `unreachable`
/// where that is the end itself. Ways end at nodes without successors. A loop without an exit is given one after its
/// last node, so that what diverges inside still meets again there.
[[nodiscard]] std::vector<std::uint32_t> immediate_post_dominators(const Graph& graph);

}  // namespace lanescope::ptx
