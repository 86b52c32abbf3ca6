// The nodes of a row where several arrays form one value: all that a thread writes of a value is one node.
#include "scene/passes/geometry.h"

#include <algorithm>
#include <utility>

namespace lanescope::scene {
namespace {

using analysis::Node;
using analysis::Source;

std::uint32_t lead_column(std::span<const analysis::JointValue> joint, std::uint32_t column) {
    for (const analysis::JointValue& value : joint) {
        if (const auto place = value.place_of(column)) return value.first_columns.front() + place->index;
    }
    return column;
}

void add_sources(std::vector<Source>& to, const std::vector<Source>& from) {
    for (const Source& source : from) {
        const bool known = std::ranges::any_of(to, [&](const Source& other) {
            return other.column == source.column && other.row == source.row && other.same_row == source.same_row;
        });
        if (!known) to.push_back(source);
    }
}

void add(Node& to, const Node& part, const analysis::SelectedPast& past) {
    to.combines = to.combines || part.combines;
    to.changes = to.changes || part.changes;
    to.useful = to.useful || part.useful;
    to.from_global = to.from_global || part.from_global;
    to.immediate = to.immediate && part.immediate;
    to.from_blocks.insert(to.from_blocks.end(), part.from_blocks.begin(), part.from_blocks.end());
    to.elements += part.elements;
    to.step = std::max(to.step, part.step);
    if (!past.has(to.value)) to.value = part.value;
    add_sources(to.sources, part.sources);
    add_sources(to.index_sources, part.index_sources);
}

}  // namespace

std::vector<Node> joint_nodes(const analysis::PictureRow& row, std::span<const analysis::JointValue> joint,
                              const analysis::SelectedPast& past) {
    std::vector<Node> nodes = row.nodes;
    for (Node& node : nodes) {
        node.column = lead_column(joint, node.column);
        for (std::vector<Source>* const sources : {&node.sources, &node.index_sources}) {
            const std::vector<Source> parts = std::exchange(*sources, {});
            for (Source source : parts) {
                source.column = lead_column(joint, source.column);
                source.own = source.column == node.column;
                add_sources(*sources, {source});
            }
        }
    }
    std::ranges::stable_sort(nodes, {}, [](const Node& node) { return std::pair(node.column, node.thread); });
    std::size_t kept = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const bool same =
            kept > 0 && nodes[kept - 1].column == nodes[n].column && nodes[kept - 1].thread == nodes[n].thread &&
            std::ranges::any_of(
                joint, [&](const analysis::JointValue& value) { return value.place_of(nodes[n].column).has_value(); });
        if (same) {
            add(nodes[kept - 1], nodes[n], past);
        } else {
            if (kept != n) nodes[kept] = std::move(nodes[n]);
            ++kept;
        }
    }
    nodes.resize(kept);
    std::ranges::stable_sort(nodes, {}, [](const Node& node) { return std::pair(node.column, node.step); });
    return nodes;
}

}  // namespace lanescope::scene
