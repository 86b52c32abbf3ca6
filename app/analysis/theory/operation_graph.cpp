#include "analysis/theory/operation_graph.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace lanescope::analysis {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// An operand of a reduction over lanes: the node that it comes from, if any, and the thread that holds it.
struct Operand {
    std::uint32_t node = none;
    std::uint32_t depth = 0;
    std::uint64_t thread = 0;
};

std::uint64_t thread_of(const trace::Step& step, unsigned lane) {
    return std::uint64_t{step.block.value} << 32U | (std::uint64_t{step.warp.value} * warp_size + lane);
}

}  // namespace

OperationGraph::OperationGraph(const trace::Trace& trace, const Provenance& provenance, Of of) {
    std::vector<std::uint32_t> node_of(provenance.size(), none);  // by value: the node whose result it is, or passes on
    std::vector<std::uint32_t> sources;
    for (std::size_t i = 0; i < provenance.size(); ++i) {
        const ValueId id(static_cast<std::uint32_t>(i));
        const TracedValue& value = provenance[id];
        if (of == Of::work && !value.reaches_output) continue;
        sources.clear();
        provenance.for_each_need(id, [&](ValueId need) {
            if (node_of[need.index()] != none) sources.push_back(node_of[need.index()]);
        });
        if (of == Of::work ? value.operations == 0 : !provenance.is_address_operation(id)) {
            std::ranges::sort(sources);
            sources.erase(std::ranges::unique(sources).begin(), sources.end());
            if (sources.size() == 1) {
                node_of[i] = sources.front();
            } else if (sources.size() > 1) {
                node_of[i] = add({.operation = false, .launch = 0, .thread = 0}, sources);
            }
            continue;
        }
        const trace::Step& step = trace.step(value.step);
        if (value.operations <= 1) {
            node_of[i] = add({.launch = step.launch, .thread = thread_of(step, value.lane)}, sources);
            continue;
        }
        std::vector<Operand> operands;
        for (const ValueId parent : provenance.parents(id)) {
            if (!provenance[parent].input_dependent) continue;
            operands.push_back({.node = node_of[parent.index()],
                                .depth = provenance[parent].depth,
                                .thread = thread_of(step, provenance[parent].lane)});
        }
        // A count of votes has no data operands: votes are conditions.
        operands.resize(value.operations + 1U, {.node = none, .depth = 0, .thread = thread_of(step, value.lane)});
        std::ranges::stable_sort(operands, std::greater(), &Operand::depth);
        while (operands.size() > 1) {
            std::vector<Operand> level;
            for (std::size_t at = 0; at + 1 < operands.size(); at += 2) {
                sources.clear();
                for (const Operand& operand : {operands[at], operands[at + 1]}) {
                    if (operand.node != none) sources.push_back(operand.node);
                }
                const std::uint64_t thread = operands[at].thread;
                level.push_back({.node = add({.launch = step.launch, .thread = thread}, sources), .thread = thread});
            }
            if (operands.size() % 2 == 1) level.push_back(operands.back());
            operands = std::move(level);
        }
        if (!operands.empty()) node_of[i] = operands.front().node;
    }
}

std::uint32_t OperationGraph::add(const Node& node, std::span<const std::uint32_t> needs) {
    const auto first = static_cast<std::ptrdiff_t>(needs_.size());
    needs_.insert(needs_.end(), needs.begin(), needs.end());
    std::sort(needs_.begin() + first, needs_.end());
    needs_.erase(std::unique(needs_.begin() + first, needs_.end()), needs_.end());
    std::uint32_t depth = node.operation ? 1 : 0;
    for (const std::uint32_t need : std::span(needs_).subspan(static_cast<std::size_t>(first)))
        depth = std::max(depth, depths_[need] + (node.operation ? 1U : 0U));
    nodes_.push_back(node);
    depths_.push_back(depth);
    first_need_.push_back(static_cast<std::uint32_t>(needs_.size()));
    work_ += node.operation ? 1 : 0;
    span_ = std::max<std::uint64_t>(span_, depth);
    return static_cast<std::uint32_t>(nodes_.size() - 1);
}

std::vector<std::uint32_t> OperationGraph::heights() const {
    std::vector<std::uint32_t> heights(size());
    for (std::size_t node = size(); node-- > 0;) {
        heights[node] += nodes_[node].operation ? 1 : 0;
        for (const std::uint32_t need : needs(node)) heights[need] = std::max(heights[need], heights[node]);
    }
    return heights;
}

std::uint64_t OperationGraph::width() const {
    std::vector<std::uint64_t> at_depth(span_ + 1);
    for (std::size_t node = 0; node < size(); ++node) at_depth[depths_[node]] += nodes_[node].operation ? 1 : 0;
    return std::ranges::max(at_depth);
}

std::vector<std::uint64_t> OperationGraph::steps_by_launch(std::size_t launches) const {
    std::vector<std::uint64_t> steps(launches);
    std::vector<std::uint64_t> done(size());  // by node: the step of its launch that completes it
    std::vector<std::unordered_map<std::uint64_t, std::uint64_t>> busy(launches);  // by launch, thread: until that step
    // A join belongs to every launch that needs it, so steps look through it to what it joins.
    std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> joined(size());  // launch, step
    for (std::size_t node = 0; node < size(); ++node) {
        const Node& of = nodes_[node];
        if (!of.operation) {
            for (const std::uint32_t need : needs(node)) {
                if (nodes_[need].operation) joined[node].emplace_back(nodes_[need].launch, done[need]);
                joined[node].insert(joined[node].end(), joined[need].begin(), joined[need].end());
            }
            std::ranges::sort(joined[node], std::greater());
            const auto same_launch =
                std::ranges::unique(joined[node], {}, &std::pair<std::uint32_t, std::uint64_t>::first);
            joined[node].erase(same_launch.begin(), same_launch.end());
            continue;
        }
        if (of.launch >= launches) continue;
        std::uint64_t begins = 0;
        for (const std::uint32_t need : needs(node)) {
            if (nodes_[need].operation && nodes_[need].launch == of.launch) begins = std::max(begins, done[need]);
            for (const auto& [launch, step] : joined[need]) {
                if (launch == of.launch) begins = std::max(begins, step);
            }
        }
        std::uint64_t& until = busy[of.launch][of.thread];
        done[node] = until = std::max(begins, until) + 1;
        steps[of.launch] = std::max(steps[of.launch], done[node]);
    }
    return steps;
}

}  // namespace lanescope::analysis
