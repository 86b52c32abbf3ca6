#include "analysis/dataflow/value_graph.h"

#include <bit>

namespace lanescope::analysis {

void ValueGraph::reserve(std::size_t results) {
    // Initial contents of memory come on top, and half of the results have two parents.
    values_.reserve(results + results / 8);
    parent_start_.reserve(results + results / 8);
    parents_.reserve(results + results / 2);
}

std::span<const std::pair<ValueId, ValueId>> ValueGraph::decided_by(ValueId id) const {
    if (decided_.empty()) return {};
    const auto found = std::ranges::equal_range(decided_, id, {}, &std::pair<ValueId, ValueId>::first);
    return {found.begin(), found.end()};
}

std::optional<std::uint32_t> ValueGraph::host_write(ValueId id) const {
    const auto found = std::ranges::lower_bound(host_values_, id, {}, &std::pair<ValueId, std::uint32_t>::first);
    return found != host_values_.end() && found->first == id ? std::optional(found->second) : std::nullopt;
}

std::array<ValueId, 2> ValueGraph::compared_by(ValueId test) const {
    std::array<ValueId, 2> found;
    std::size_t count = 0;
    const auto add = [&](ValueId value) {
        const TracedValue& compared = (*this)[value];
        if (count < found.size() && compared.bytes > 0 && compared.input_dependent) found[count++] = value;
    };
    if ((*this)[test].bytes == 0) {
        for (const auto& [of, value] : decided_by(test)) add(value);
        return found;
    }
    for (const ValueId parent : parents(test)) add(parent);
    return found;
}

void ValueGraph::confirm(ValueId test) {
    TracedValue& comparison = (*this)[test];
    comparison.application = true;
    comparison.operations = 1;
}

ValueId ValueGraph::add(const TracedValue& value) {
    parent_start_.push_back(static_cast<std::uint32_t>(parents_.size()));
    values_.push_back(value);
    return newest();
}

void ValueGraph::add_need(ValueId need) {
    if (decided_.empty() || decided_.back() != std::pair(newest(), need)) decided_.emplace_back(newest(), need);
}

void ValueGraph::finish_operations() {
    std::erase_if(decided_, [&](const auto& pair) {
        const TracedValue& of = (*this)[pair.first];
        const TracedValue& need = (*this)[pair.second];
        const bool compares = of.bytes == 0 && of.kind != TracedValue::Kind::memory;
        return (compares && of.operations == 0) || (need.bytes == 0 && need.operations == 0);
    });
    auto decided = decided_.begin();
    for (std::size_t i = 0; i < values_.size(); ++i) {
        TracedValue& value = values_[i];
        std::uint32_t depth = 0;
        for (const ValueId parent : parents(ValueId(static_cast<std::uint32_t>(i))))
            depth = std::max(depth, (*this)[parent].depth);
        for (; decided != decided_.end() && decided->first.index() == i; ++decided)
            depth = std::max(depth, (*this)[decided->second].depth);
        value.depth = depth + (value.application ? static_cast<std::uint32_t>(std::bit_width(value.operations)) : 0);
    }
}

}  // namespace lanescope::analysis
