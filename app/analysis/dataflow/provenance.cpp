#include "analysis/dataflow/provenance.h"

#include "analysis/dataflow/data_flow.h"
#include "analysis/dataflow/instruction_table.h"
#include "analysis/dataflow/usefulness.h"

#include <algorithm>

namespace lanescope::analysis {

using trace::Effect;
using trace::EffectKind;

namespace {

/// Values are numbered memory first, then registers.
bool writes_memory(const Effect& effect) { return trace::is_write(effect.kind); }

}  // namespace

/// Later questions need this of the walk: the code, and every memory's history.
struct Provenance::History {
    History(const ptx::Module& module, std::shared_ptr<const trace::Trace> of)
        : instructions(module, of->registers), trace(std::move(of)), memories(*trace) {}

    InstructionTable instructions;
    std::shared_ptr<const trace::Trace> trace;
    MemoryHistories memories;
};

Provenance::Provenance(std::shared_ptr<const trace::Trace> trace, const ptx::Module& module) : module_(&module) {
    const auto history = std::make_shared<History>(module, std::move(trace));
    history_ = history;
    DataFlow flow = follow_data(*history->trace, module, history->instructions);
    values_ = std::move(flow.values);
    written_ = std::move(flow.written);
    exited_ = std::move(flow.exited);
    history->memories = std::move(flow.memories);
    useful_ = useful_lanes(*history->trace, history->instructions, *this, &TracedValue::reaches_output);
    const auto unknown = [](const TracedValue& value) { return value.reaches_output && !value.use_known; };
    if (std::ranges::any_of(values_.values(), unknown)) {
        unknown_ = useful_;
        const std::vector<LaneMask> known =
            useful_lanes(*history->trace, history->instructions, *this, &TracedValue::use_known);
        for (std::size_t i = 0; i < known.size(); ++i) unknown_[i] &= ~known[i];
    }
    for (const TracedValue& value : values_.values()) {
        if (!value.reaches_output) continue;
        work_ += value.operations;
        span_ = std::max<std::uint64_t>(span_, value.depth);
    }
}

/// An addition that serves only an address or a condition counts, of input data and of values that conditions made of
/// it: a grid of cells that live or die has both.
bool Provenance::is_address_operation(ValueId id) const {
    const TracedValue& value = values_[id];
    return (value.counts || value.operations > 0) && !value.reaches_output && value.step.valid() &&
           useful(value.step).has(value.lane);
}

bool Provenance::comes_in(ValueId id) const {
    if (values_[id].kind != TracedValue::Kind::reg) return false;
    return std::ranges::any_of(parents(id), [&](ValueId parent) { return values_[parent].is_given(); });
}

ValueId Provenance::written_by(StepId step, unsigned lane) const {
    std::uint32_t first = written_[step.index()].first;
    if (first == written_[step.index()].past_last) return {};
    const auto effects = history_->trace->effects(history_->trace->step(step));
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
    const auto effects = history_->trace->effects(history_->trace->step(step));
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
    const trace::Trace& trace = *history_->trace;
    const auto there_from = [&](ValueId id) { return this->there_from(id); };
    if (space == trace::Space::shared && launch < trace.launches.size()) {
        const auto& recorded = trace.launches[launch].recorded;
        const auto found = std::ranges::lower_bound(recorded, block);
        if (found == recorded.end() || *found != block) return {};
        const auto place = history_->memories.first_shared[launch] + static_cast<std::size_t>(found - recorded.begin());
        return history_->memories.shared[place].before(address, position, there_from);
    }
    if (space == trace::Space::global) {
        for (std::size_t i = 0; i < trace.buffers.size(); ++i) {
            const trace::Buffer& buffer = trace.buffers[i];
            if (address < buffer.address || address - buffer.address >= buffer.bytes) continue;
            return history_->memories.buffers[i].before(address - buffer.address, position, there_from);
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
    const std::optional<std::uint32_t> number = values_.host_write(id);
    return number ? &history_->trace->host_writes[*number] : nullptr;
}

std::size_t Provenance::there_from(ValueId id) const {
    const TracedValue& value = values_[id];
    if (value.step.valid()) return value.step.index() + 1;
    const trace::HostWrite* const write = value.kind == TracedValue::Kind::host ? host_write(id) : nullptr;
    return write != nullptr ? history_->trace->position_of(*write) : 0;
}

const InstructionTable& Provenance::instructions() const { return history_->instructions; }

}  // namespace lanescope::analysis
