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
    std::vector<std::uint32_t> entered;  ///< of each component: the node that a walk from node 0 comes to first
};
[[nodiscard]] Components strongly_connected(const Graph& graph);

/// The immediate dominator of each node, seen from `root`; the root's is itself, and that of an unreachable node is
/// `unreachable` (Lengauer and Tarjan 1979, simple path compression).
inline constexpr std::uint32_t unreachable = ~std::uint32_t{0};
[[nodiscard]] std::vector<std::uint32_t> immediate_dominators(const Graph& graph, std::uint32_t root);

/// The immediate post-dominator of each node: the first node on every path to the end; `unreachable` if that is the end
/// itself. Paths end at nodes without successors. A loop without an exit gets one before its header, where each
/// iteration begins, so that divergent paths inside reconverge there at the latest.
[[nodiscard]] std::vector<std::uint32_t> immediate_post_dominators(const Graph& graph);

}  // namespace lanescope::ptx
