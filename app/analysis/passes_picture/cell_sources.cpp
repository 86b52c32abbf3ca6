#include "analysis/passes_picture/cell_sources.h"

#include <algorithm>
#include <set>

namespace lanescope::analysis {
namespace {

/// Is the value in global memory now, or was it at first?
bool is_global(const TracedValue& value) {
    return value.is_given() || (value.kind == TracedValue::Kind::memory && value.space == trace::Space::global);
}

}  // namespace

CellSources::CellSources(const BlockView& block, std::span<const LaneEvent> lanes, GlobalCells global)
    : block_(block), global_(global) {
    if (block.passes.steps.empty()) return;
    // Values in global memory may be older than the block.
    if (global != GlobalCells::all && global != GlobalCells::inputs)
        first_ = block.provenance.values_of(block.passes.steps.front()).first;
    const std::size_t values = block.provenance.values_of(block.passes.steps.back()).past_last - first_;
    origins_.resize(values);
    stored_as_.resize(values);
    holders_.resize(values);
    released_.resize(values);
    last_read_.resize(values);
    visited_.resize(values);
    for (const LaneEvent& event : lanes) {
        if (covers(event.value)) origins_[at(event.value)].lane = true;
    }
    learn();
    if (!lanes.empty()) spread_reads();
}

bool CellSources::is_cell(ValueId id) const {
    const TracedValue& value = block_.provenance[id];
    if (value.kind == TracedValue::Kind::memory && value.space == trace::Space::shared) return true;
    if ((global_ == GlobalCells::all || global_ == GlobalCells::inputs) && is_global(value)) return true;
    if (global_ == GlobalCells::outputs && value.kind == TracedValue::Kind::memory && is_global(value)) return true;
    return covers(id) && origins_[at(id)].lane;
}

void CellSources::learn() {
    for (const StepId id : block_.passes.steps) {
        const ValueRange written = block_.provenance.values_of(id);
        for (std::uint32_t i = written.first; i < written.past_last; ++i) {
            Origins& from = origins_[i - first_];
            from.combines = block_.provenance[ValueId(i)].application;
            for (const ValueId parent : block_.provenance.parents(ValueId(i))) {
                const bool cell = is_cell(parent);
                if (!cell && is_global(block_.provenance[parent])) from.global = true;
                if (!covers(parent)) continue;
                last_read_[at(parent)] = id;
                if (cell) {
                    from.cells = true;
                } else if (!is_global(block_.provenance[parent])) {
                    const Origins& before = origins_[at(parent)];
                    from.cells |= before.cells;
                    from.global |= before.global;
                    from.combines |= before.combines;
                }
            }
        }
    }
}

/// A read of a copy of a thread's value is a read of that value. Copies are newer than their originals.
void CellSources::spread_reads() {
    for (std::size_t v = last_read_.size(); v-- > 0;) {
        const ValueId id(static_cast<std::uint32_t>(v + first_));
        const auto parents = block_.provenance.parents(id);
        if (!last_read_[v].valid() || parents.size() != 1 || !covers(parents.front()) || is_cell(id)) continue;
        StepId& last = last_read_[at(parents.front())];
        last = last.valid() ? std::max(last, last_read_[v]) : last_read_[v];
    }
}

void CellSources::push_parents(ValueId of, bool combined) {
    const auto parents = block_.provenance.parents(of);
    for (std::size_t i = parents.size(); i-- > 0;) way_.push_back({parents[i], of, combined});
}

CellSources::Sources CellSources::of(ValueId stored, StepId pass_begin) {
    ++question_;
    found_.clear();
    older_.clear();
    way_.clear();
    Sources sources;
    sources.combines = block_.provenance[stored].application;
    push_parents(stored, sources.combines);
    while (!way_.empty()) {
        const Hop hop = way_.back();
        way_.pop_back();
        if (is_global(block_.provenance[hop.value]) && !is_cell(hop.value)) sources.global = true;
        if (!covers(hop.value) && is_global(block_.provenance[hop.value])) older_.push_back(hop.value);
        if (!covers(hop.value) || visited_[at(hop.value)] == question_) continue;
        visited_[at(hop.value)] = question_;
        const Origins& origins = origins_[at(hop.value)];
        // Was the value read from memory or, for a thread's value, did the thread hold it when it was read?
        if (is_cell(hop.value) && (!origins.lane || held_at(hop.value, block_.provenance[hop.made].step))) {
            found_.push_back({hop.value, block_.provenance[hop.made].step});
            continue;
        }
        // A register loaded from a cell that still holds the value represents that cell, except for a second copy in
        // the same pass.
        const ValueId copy = stored_as_[at(hop.value)];
        if (copy.valid() && holders_[at(copy)] > 0 && (hop.combined || block_.provenance[copy].step < pass_begin)) {
            found_.push_back({copy, StepId{}});
            continue;
        }
        if (!origins.cells) {
            sources.global |= origins.global;
            sources.combines |= origins.combines;
            continue;
        }
        const bool combines = block_.provenance[hop.value].application;
        sources.combines |= combines;
        push_parents(hop.value, hop.combined || combines);
    }
    sources.cells = found_;
    sources.older = older_;
    return sources;
}

std::vector<ValueId> CellSources::elements_of(ValueId stored) const {
    std::set<ValueId> elements, way{stored};
    while (!way.empty()) {
        // Parents are older than what is made of them, so each value is visited once.
        const ValueId made = *way.rbegin();
        way.erase(made);
        for (const ValueId parent : block_.provenance.parents(made)) {
            if (is_cell(parent)) continue;
            if (is_global(block_.provenance[parent])) {
                elements.insert(parent);
            } else if (covers(parent) && origins_[at(parent)].global) {
                // A register whose value a cell still holds represents that cell.
                const ValueId copy = stored_as_[at(parent)];
                if (!copy.valid() || holders_[at(copy)] == 0) way.insert(parent);
            }
        }
    }
    return {elements.begin(), elements.end()};
}

bool CellSources::held_at(ValueId value, StepId reader) const {
    if (holders_[at(value)] > 0) return true;
    return released_[at(value)].valid() && reader.valid() && reader <= released_[at(value)];
}

void CellSources::hold(ValueId value, ValueId before, StepId now) {
    if (covers(before) && holders_[at(before)] > 0 && --holders_[at(before)] == 0) released_[at(before)] = now;
    if (!covers(value)) return;
    ++holders_[at(value)];
    if (origins_[at(value)].lane) return;
    for (const ValueId parent : block_.provenance.parents(value)) {
        if (covers(parent)) stored_as_[at(parent)] = value;
    }
}

}  // namespace lanescope::analysis
