// Flags in the walk of a DataFlow: values that are 0 or 1 by a condition on the data. Their sums are operations:
// additions in registers and memory, counts of votes.
#include "analysis/dataflow/data_flow.h"

#include <algorithm>
#include <bit>

namespace lanescope::analysis {

using Kind = ptx::Operand::Kind;

/// The newest value is a sum of flags: an operation where it has two, or counts one more on a way of a condition.
void DataFlow::add_flags(unsigned lane) {
    TracedValue& value = out_.values_.back();
    if (other_operands_ || ptx::is_float(line_->instruction->modifiers.type)) return;
    const auto adds_one = [&] {
        const ptx::Instruction& instruction = *line_->instruction;
        for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
            const ptx::Operand& operand = instruction.operands[i];
            if (operand.kind == Kind::immediate && operand.immediate == 1) return true;
            if (operand.kind != Kind::reg || line_->flow != Flow::atomic) continue;
            const ValueId held_one = held(RegisterId(operand.reg.value + line_->first_register), lane);
            if (held_one.valid() && is_literal_flag(held_one) && out_.values_[held_one.index()].bits == 1) return true;
        }
        return false;
    };
    const Way way = way_of(lane);
    if (way.function != nullptr && way.once && adds_one()) ++flag_operands_;
    if (flag_operands_ > 0) lineage_of(ValueId(static_cast<std::uint32_t>(out_.values_.size() - 1))).flag = true;
    if (flag_operands_ < 2) return;
    value.application = true;
    value.operations = 1;
    value.depth += 1;
}

void DataFlow::follow_vote(ValueId id, unsigned lane) {
    bool conditional = false;
    LaneMask voters;
    for (const unsigned other : executed_) {
        for (const RegisterId reg : data_) {
            const ValueId vote = held(reg, other);
            if (!vote.valid() || !is_data_condition(vote)) continue;
            conditional = true;
            voters |= LaneMask::only(other);
        }
    }
    if (!conditional) return;
    lineage_of(id).conditional = true;
    const ptx::Modifiers& modifiers = line_->instruction->modifiers;
    if (modifiers.vote == ptx::Vote::ballot) votes_[id.value] = voters.bits();
    if (modifiers.barrier != ptx::Barrier::red || modifiers.atomic != ptx::Atomic::popc) return;
    // One result for all threads of the block: the first warp's first lane counts, the others copy it.
    if (block_->reductions.empty()) block_->reductions.resize(warps_);
    const bool first_lane = lane == executed_.lowest();
    const std::size_t number = first_lane ? block_->reductions[warp_]++ : block_->reductions[warp_] - 1;
    if (number < block_->reduced.size()) {
        take(block_->reduced[number]);
        return;
    }
    block_->reduced.push_back(id);
    TracedValue& value = out_.values_[id.index()];
    const std::uint64_t threads = trace_.launches[launch_].block.count();
    value.application = threads > 1;
    value.operations = static_cast<std::uint16_t>(threads - 1);
    lineage_of(id).flag = true;
}

/// popc of a ballot adds the votes of its lanes; & leaves those that a constant names.
void DataFlow::count_votes(ValueId id, unsigned lane) {
    if (votes_.empty()) return;
    std::uint32_t lanes = 0, kept = ~std::uint32_t{0};
    const ptx::Instruction& instruction = *line_->instruction;
    for (unsigned i = 0; i + instruction.destination_count < instruction.operand_count; ++i) {
        const ptx::Operand& operand = instruction.operands[i + instruction.destination_count];
        if (operand.kind == Kind::immediate) kept &= static_cast<std::uint32_t>(operand.immediate);
        if (operand.kind != Kind::reg || i >= data_.size()) continue;
        const ValueId from = held(data_[i], lane);
        if (!from.valid()) continue;
        if (const auto found = votes_.find(from.value); found != votes_.end())
            lanes = found->second;
        else
            kept &= static_cast<std::uint32_t>(out_.values_[from.index()].bits);
    }
    lanes &= kept;
    if (lanes == 0) return;
    lineage_of(id).conditional = true;
    if (instruction.opcode == ptx::Opcode::and_) {
        votes_[id.value] = lanes;
        return;
    }
    lineage_of(id).flag = true;
    TracedValue& value = out_.values_[id.index()];
    value.operations = static_cast<std::uint16_t>(std::popcount(lanes) - 1);
    value.application = value.operations > 0;
}

/// Did the host set the cell, and all of its buffer, to 0, and no kernel write it?
bool DataFlow::begins_with_zero(const Place& place) const {
    if (place.buffer == nullptr || place.memory == nullptr) return false;
    const ValueId newest = place.memory->newest(place.offset);
    if (!newest.valid()) return false;
    const TracedValue& value = out_.values_[newest.index()];
    if (value.kind == TracedValue::Kind::input) return place.buffer->initial.filled().empty();
    if (value.kind != TracedValue::Kind::host) return false;
    const trace::HostWrite* const write = out_.host_write(newest);
    return write != nullptr && std::ranges::all_of(write->after, [](std::byte byte) { return byte == std::byte{0}; });
}

}  // namespace lanescope::analysis
