#include "analysis/dataflow/provenance.h"

#include "analysis/dataflow/data_flow.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/memory_history.h"
#include "analysis/dataflow/usefulness.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::Effect;
using trace::EffectKind;

namespace {

/// Values are numbered memory first, then registers.
bool writes_memory(const Effect& effect) { return trace::is_write(effect.kind); }

}  // namespace

Provenance::Provenance(std::shared_ptr<const trace::Trace> trace, const ptx::Module& module) : module_(&module) {
    const auto index = std::make_shared<Index>(module, std::move(trace));
    index_ = index;
    DataFlow(*index->trace, *this, *index).run();
    useful_ = useful_lanes(*index->trace, index->instructions, *this, &TracedValue::reaches_output);
    const auto unknown = [](const TracedValue& value) { return value.reaches_output && !value.use_known; };
    if (std::ranges::any_of(values_, unknown)) {
        unknown_ = useful_;
        const std::vector<LaneMask> known =
            useful_lanes(*index->trace, index->instructions, *this, &TracedValue::use_known);
        for (std::size_t i = 0; i < known.size(); ++i) unknown_[i] &= ~known[i];
    }
    for (const TracedValue& value : values_) {
        if (!value.reaches_output) continue;
        work_ += value.operations;
        span_ = std::max<std::uint64_t>(span_, value.depth);
    }
}

std::span<const ValueId> Provenance::parents(ValueId id) const {
    const std::uint32_t first = parent_start_[id.index()];
    // While values are still made, the newest has all that follow.
    const std::size_t next = id.index() + 1;
    const std::size_t past = next < parent_start_.size() ? parent_start_[next] : parents_.size();
    return std::span(parents_).subspan(first, past - first);
}

std::span<const std::pair<ValueId, ValueId>> Provenance::decided_by(ValueId id) const {
    if (decided_.empty()) return {};
    const auto found = std::ranges::equal_range(decided_, id, {}, &std::pair<ValueId, ValueId>::first);
    return {found.begin(), found.end()};
}

/// Additions that serve an address or a condition alone count, of input and of what conditions made of it: a grid of
/// cells that live or die has both.
bool Provenance::is_address_operation(ValueId id) const {
    const TracedValue& value = values_[id.index()];
    return (value.counts || value.operations > 0) && !value.reaches_output && value.step.valid() &&
           useful(value.step).has(value.lane);
}

bool Provenance::comes_in(ValueId id) const {
    if (values_[id.index()].kind != TracedValue::Kind::reg) return false;
    return std::ranges::any_of(parents(id), [&](ValueId parent) { return values_[parent.index()].is_given(); });
}

ValueId Provenance::written_by(StepId step, unsigned lane) const {
    std::uint32_t first = written_[step.index()].first;
    if (first == written_[step.index()].past_last) return {};
    const auto effects = index_->trace->effects(index_->trace->step(step));
    for (const bool memory : {true, false}) {
        for (const Effect& effect : effects) {
            if (memory ? !writes_memory(effect) : effect.kind != EffectKind::register_write) continue;
            if (effect.lanes.has(lane)) return ValueId(first + effect.lanes.rank(lane) * effect.elements);
            first += effect.lanes.count() * effect.elements;
        }
    }
    return {};
}

ValueId Provenance::written_to(RegisterId reg, StepId step, unsigned lane) const {
    std::uint32_t first = written_[step.index()].first;
    if (first == written_[step.index()].past_last) return {};
    const auto effects = index_->trace->effects(index_->trace->step(step));
    for (const Effect& effect : effects) {
        if (writes_memory(effect)) first += effect.lanes.count() * effect.elements;
    }
    for (const Effect& effect : effects) {
        if (effect.kind != EffectKind::register_write) continue;
        if (effect.id == reg.value && effect.lanes.has(lane)) return ValueId(first + effect.lanes.rank(lane));
        first += effect.lanes.count();
    }
    return {};
}

ValueId Provenance::memory_at(trace::Space space, std::uint32_t launch, BlockId block, std::uint64_t address,
                              std::size_t position) const {
    const trace::Trace& trace = *index_->trace;
    const auto there_from = [&](ValueId id) { return this->there_from(id); };
    if (space == trace::Space::shared && launch < trace.launches.size()) {
        const auto& recorded = trace.launches[launch].recorded;
        const auto found = std::ranges::lower_bound(recorded, block);
        if (found == recorded.end() || *found != block) return {};
        const auto place = index_->first_shared[launch] + static_cast<std::size_t>(found - recorded.begin());
        return index_->shared[place].before(address, position, there_from);
    }
    if (space == trace::Space::global) {
        for (std::size_t i = 0; i < trace.buffers.size(); ++i) {
            const trace::Buffer& buffer = trace.buffers[i];
            if (address < buffer.address || address - buffer.address >= buffer.bytes) continue;
            return index_->buffers[i].before(address - buffer.address, position, there_from);
        }
    }
    return {};
}

std::vector<bool> Provenance::backward_slice(ValueId id) const {
    std::vector<bool> slice(values_.size());
    slice[id.index()] = true;
    for (std::vector<ValueId> open{id}; !open.empty();) {
        const ValueId value = open.back();
        open.pop_back();
        for (const ValueId parent : parents(value)) {
            if (slice[parent.index()]) continue;
            slice[parent.index()] = true;
            open.push_back(parent);
        }
    }
    return slice;
}

const trace::HostWrite* Provenance::host_write(ValueId id) const {
    const auto found = std::ranges::lower_bound(host_values_, id, {}, &std::pair<ValueId, std::uint32_t>::first);
    return found != host_values_.end() && found->first == id ? &index_->trace->host_writes[found->second] : nullptr;
}

std::size_t Provenance::there_from(ValueId id) const {
    const TracedValue& value = values_[id.index()];
    if (value.step.valid()) return value.step.index() + 1;
    const trace::HostWrite* const write = value.kind == TracedValue::Kind::host ? host_write(id) : nullptr;
    return write != nullptr ? index_->trace->position_of(*write) : 0;
}

const InstructionTable& Provenance::instructions() const { return index_->instructions; }

}  // namespace lanescope::analysis
