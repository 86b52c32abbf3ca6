#include "ptx/graph.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

struct Visit {
    std::uint32_t node;
    std::size_t next = 0;  ///< successor to look at next
};

}  // namespace

Components strongly_connected(const Graph& graph) {
    const auto size = static_cast<std::uint32_t>(graph.size());
    Components components{.of = std::vector<std::uint32_t>(size, unreachable), .count = 0, .entered = {}};
    std::vector<std::uint32_t> number(size, unreachable), low(size), stack;
    std::vector<Visit> visits;
    std::uint32_t next_number = 0;
    const auto enter = [&](std::uint32_t node) {
        number[node] = low[node] = next_number++;
        stack.push_back(node);
        visits.push_back({node});
    };
    for (std::uint32_t start = 0; start < size; ++start) {
        if (number[start] != unreachable) continue;
        enter(start);
        while (!visits.empty()) {
            const std::uint32_t node = visits.back().node;
            if (visits.back().next < graph[node].size()) {
                const std::uint32_t successor = graph[node][visits.back().next++];
                if (number[successor] == unreachable) {
                    enter(successor);
                } else if (components.of[successor] == unreachable) {
                    low[node] = std::min(low[node], number[successor]);
                }
                continue;
            }
            visits.pop_back();
            if (!visits.empty()) low[visits.back().node] = std::min(low[visits.back().node], low[node]);
            if (low[node] != number[node]) continue;
            for (std::uint32_t member = unreachable; member != node; stack.pop_back()) {
                member = stack.back();
                components.of[member] = components.count;
            }
            components.entered.push_back(node);
            ++components.count;
        }
    }
    return components;
}

std::vector<std::uint32_t> immediate_dominators(const Graph& graph, std::uint32_t root) {
    const auto size = static_cast<std::uint32_t>(graph.size());
    Graph predecessors(size);
    for (std::uint32_t node = 0; node < size; ++node)
        for (const std::uint32_t successor : graph[node]) predecessors[successor].push_back(node);

    // Names of the paper: vertex[i] is the i-th node in preorder; semi, parent, ancestor, label by node.
    std::vector<std::uint32_t> vertex, semi(size, unreachable), parent(size, root), ancestor(size, unreachable),
        label(size), dominator(size, unreachable);
    std::vector<Visit> visits{{root}};
    semi[root] = 0;
    vertex.push_back(root);
    while (!visits.empty()) {
        const std::uint32_t node = visits.back().node;
        if (visits.back().next == graph[node].size()) {
            visits.pop_back();
            continue;
        }
        const std::uint32_t successor = graph[node][visits.back().next++];
        if (semi[successor] != unreachable) continue;
        semi[successor] = static_cast<std::uint32_t>(vertex.size());
        parent[successor] = node;
        vertex.push_back(successor);
        visits.push_back({successor});
    }
    for (std::uint32_t node = 0; node < size; ++node) label[node] = node;

    std::vector<std::uint32_t> path;
    const auto eval = [&](std::uint32_t node) {
        if (ancestor[node] == unreachable) return node;
        for (std::uint32_t at = node; ancestor[ancestor[at]] != unreachable; at = ancestor[at]) path.push_back(at);
        for (; !path.empty(); path.pop_back()) {
            const std::uint32_t at = path.back(), above = ancestor[at];
            if (semi[label[above]] < semi[label[at]]) label[at] = label[above];
            ancestor[at] = ancestor[above];
        }
        return label[node];
    };

    Graph bucket(size);
    for (std::size_t i = vertex.size(); i-- > 1;) {
        const std::uint32_t node = vertex[i];
        for (const std::uint32_t predecessor : predecessors[node])
            if (semi[predecessor] != unreachable) semi[node] = std::min(semi[node], semi[eval(predecessor)]);
        bucket[vertex[semi[node]]].push_back(node);
        ancestor[node] = parent[node];
        for (const std::uint32_t waiting : bucket[parent[node]]) {
            const std::uint32_t best = eval(waiting);
            dominator[waiting] = semi[best] < semi[waiting] ? best : parent[node];
        }
        bucket[parent[node]].clear();
    }
    for (std::size_t i = 1; i < vertex.size(); ++i) {
        const std::uint32_t node = vertex[i];
        if (dominator[node] != vertex[semi[node]]) dominator[node] = dominator[dominator[node]];
    }
    dominator[root] = root;
    return dominator;
}

std::vector<std::uint32_t> immediate_post_dominators(const Graph& graph) {
    const auto size = static_cast<std::uint32_t>(graph.size());
    const Components components = strongly_connected(graph);
    std::vector<bool> left(components.count, false);
    for (std::uint32_t node = 0; node < size; ++node)
        for (const std::uint32_t successor : graph[node])
            if (components.of[successor] != components.of[node]) left[components.of[node]] = true;

    // Nodes of the reversed graph: those of `graph`, the end, and for each loop without an exit a node between its last
    // nodes and its header, from which a path leads to the end.
    const std::uint32_t end = size;
    Graph reversed(size + std::size_t{1});
    std::vector<std::uint32_t> headers;
    std::vector<std::uint32_t> before_header(components.count, unreachable);
    for (std::uint32_t component = 0; component < components.count; ++component) {
        if (left[component]) continue;
        const std::uint32_t header = components.entered[component];
        if (graph[header].empty()) {
            reversed[end].push_back(header);
            continue;
        }
        const auto added = static_cast<std::uint32_t>(reversed.size());
        headers.push_back(header);
        reversed.emplace_back();
        before_header[component] = added;
        reversed[end].push_back(added);
        reversed[header].push_back(added);
    }
    for (std::uint32_t node = 0; node < size; ++node) {
        for (const std::uint32_t successor : graph[node]) {
            const std::uint32_t component = components.of[node];
            const bool begins_round = component == components.of[successor] &&
                                      before_header[component] != unreachable &&
                                      successor == components.entered[component];
            reversed[begins_round ? before_header[component] : successor].push_back(node);
        }
    }
    std::vector<std::uint32_t> dominators = immediate_dominators(reversed, end);
    dominators.resize(size);
    for (std::uint32_t& dominator : dominators) {
        if (dominator == end) {
            dominator = unreachable;
        } else if (dominator != unreachable && dominator > end) {
            dominator = headers[dominator - end - 1];
        }
    }
    return dominators;
}

}  // namespace lanescope::ptx
