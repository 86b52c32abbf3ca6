#include "analysis/dataflow/learned_addresses.h"

namespace lanescope::analysis {

void LearnedAddresses::learn(const FlowStep& step, const ValueGraph& values, ValueId id, unsigned lane) {
    const ptx::Instruction& instruction = step.instruction();
    if (instruction.opcode == ptx::Opcode::mov && instruction.operands[1].kind == ptx::Operand::Kind::address) {
        const ptx::Operand& of = instruction.operands[1];
        variables_[variable_of(step.function(), of)] = values[id].bits - static_cast<std::uint64_t>(of.offset);
    }
    if (instruction.opcode != ptx::Opcode::cvta || step.data.empty()) return;
    const ValueId from = step.held(step.data.front(), lane);
    if (!from.valid()) return;
    const std::uint64_t distance = values[id].bits - values[from].bits;
    const std::uint64_t window = instruction.modifiers.to ? ~distance + 1 : distance;
    if (instruction.modifiers.space == ptx::Space::shared) shared_window_ = window;
    if (instruction.modifiers.space == ptx::Space::local) local_window_ = window;
}

std::optional<std::uint64_t> LearnedAddresses::of(const ptx::Function& function, const ptx::Operand& operand) const {
    const auto found = variables_.find(variable_of(function, operand));
    if (found == variables_.end()) return std::nullopt;
    return found->second + static_cast<std::uint64_t>(operand.offset);
}

std::pair<trace::Space, std::uint64_t> LearnedAddresses::in_space(std::uint64_t generic) const {
    constexpr std::uint64_t window_bytes = std::uint64_t{1} << 24U;
    if (shared_window_ && generic - *shared_window_ < window_bytes)
        return {trace::Space::shared, generic - *shared_window_};
    if (local_window_ && generic - *local_window_ < window_bytes)
        return {trace::Space::local, generic - *local_window_};
    return {trace::Space::global, generic};
}

}  // namespace lanescope::analysis
