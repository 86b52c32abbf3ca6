#include "analysis/dataflow/flag_sums.h"

#include <bit>

namespace lanescope::analysis {
namespace {

using Kind = ptx::Operand::Kind;

/// A literal 1, or for an atomic a register that holds one.
bool adds_one(const FlowStep& step, unsigned lane, const ValueGraph& values, const Lineages& lineages) {
    const ptx::Instruction& instruction = step.instruction();
    for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        if (operand.kind == Kind::immediate && operand.immediate == 1) return true;
        if (operand.kind != Kind::reg || step.line->flow != Flow::atomic) continue;
        const ValueId held = step.held_by_own(operand.reg, lane);
        if (held.valid() && lineages.is_literal_flag(held) && values[held].bits == 1) return true;
    }
    return false;
}

}  // namespace

void FlagSums::begin_launch(std::size_t blocks, std::size_t warps, std::uint64_t threads) {
    reductions_.assign(blocks, {});
    warps_ = warps;
    threads_ = threads;
}

void FlagSums::addition(const FlowStep& step, unsigned lane, bool on_condition) {
    if (builder_.has_other_data() || ptx::is_float(step.instruction().modifiers.type)) return;
    if (on_condition && adds_one(step, lane, values_, lineages_)) builder_.count_flag();
    if (builder_.flags() > 0) lineages_.change(values_.newest()).flag = true;
    if (builder_.flags() < 2) return;
    TracedValue& value = values_[values_.newest()];
    value.application = true;
    value.operations = 1;
    value.depth += 1;
}

void FlagSums::vote(const FlowStep& step, unsigned lane) {
    bool conditional = false;
    LaneMask voters;
    for (const unsigned other : step.executed) {
        for (const RegisterId reg : step.data) {
            const ValueId vote = step.held(reg, other);
            if (!vote.valid() || !lineages_.is_data_condition(vote)) continue;
            conditional = true;
            voters |= LaneMask::only(other);
        }
    }
    if (!conditional) return;
    const ValueId id = values_.newest();
    lineages_.change(id).conditional = true;
    const ptx::Modifiers& modifiers = step.instruction().modifiers;
    if (modifiers.vote == ptx::Vote::ballot) votes_[id.value] = voters.bits();
    if (modifiers.barrier != ptx::Barrier::red || modifiers.atomic != ptx::Atomic::popc) return;
    // One result for all threads of the block: the first warp's first lane counts, the others copy it.
    Reductions& block = reductions_[step.block];
    if (block.begun.empty()) block.begun.resize(warps_);
    std::uint32_t& begun = block.begun[step.warp];
    if (lane == step.executed.lowest()) ++begun;
    const std::size_t number = begun - 1;
    if (number < block.results.size()) {
        builder_.take(block.results[number]);
        return;
    }
    block.results.push_back(id);
    TracedValue& value = values_[id];
    value.application = threads_ > 1;
    value.operations = static_cast<std::uint16_t>(threads_ - 1);
    lineages_.change(id).flag = true;
}

void FlagSums::count_votes(const FlowStep& step, unsigned lane) {
    if (votes_.empty()) return;
    std::uint32_t lanes = 0, kept = ~std::uint32_t{0};
    const ptx::Instruction& instruction = step.instruction();
    for (unsigned i = 0; i + instruction.destination_count < instruction.operand_count; ++i) {
        const ptx::Operand& operand = instruction.operands[i + instruction.destination_count];
        if (operand.kind == Kind::immediate) kept &= static_cast<std::uint32_t>(operand.immediate);
        if (operand.kind != Kind::reg || i >= step.data.size()) continue;
        const ValueId from = step.held(step.data[i], lane);
        if (!from.valid()) continue;
        if (const auto found = votes_.find(from.value); found != votes_.end())
            lanes = found->second;
        else
            kept &= static_cast<std::uint32_t>(values_[from].bits);
    }
    lanes &= kept;
    if (lanes == 0) return;
    const ValueId id = values_.newest();
    lineages_.change(id).conditional = true;
    if (instruction.opcode == ptx::Opcode::and_) {
        votes_[id.value] = lanes;
        return;
    }
    lineages_.change(id).flag = true;
    TracedValue& value = values_[id];
    value.operations = static_cast<std::uint16_t>(std::popcount(lanes) - 1);
    value.application = value.operations > 0;
}

void FlagSums::copy(ValueId id, ValueId from) {
    const auto votes = votes_.find(from.value);
    if (votes == votes_.end()) return;
    const std::uint32_t lanes = votes->second;
    votes_[id.value] = lanes;
}

}  // namespace lanescope::analysis
