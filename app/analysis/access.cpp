#include "analysis/access.h"

#include <algorithm>

namespace lanescope::analysis {
namespace {

using Kind = ptx::Operand::Kind;

bool reads(const ptx::Function& function, const ptx::Operand& operand, RegisterId reg) {
    if (operand.kind == Kind::reg || operand.kind == Kind::memory) return operand.reg == reg;
    if (operand.kind != Kind::vector) return false;
    for (unsigned e = 0; e < operand.elements; ++e) {
        if (function.vector_elements[operand.first + e].reg == reg) return true;
    }
    return false;
}

/// Does no instruction of the function read the atomic's result?
bool result_unused(const CodeLine& line) {
    const ptx::Instruction& atomic = *line.instruction;
    if (atomic.destination_count == 0 || atomic.operands[0].kind != Kind::reg) return true;
    const RegisterId result = atomic.operands[0].reg;
    return std::ranges::none_of(line.function->instructions, [&](const ptx::Instruction& other) {
        if (other.guard && other.guard->predicate == result) return true;
        for (unsigned i = other.destination_count; i < other.operand_count; ++i) {
            if (reads(*line.function, other.operands[i], result)) return true;
        }
        return false;
    });
}

model::Access atomic_access(const trace::Effect& effect, const CodeLine& line) {
    const ptx::Modifiers& modifiers = line.instruction->modifiers;
    if (modifiers.atomic == ptx::Atomic::cas) return model::Access::compare_and_swap;
    if (modifiers.atomic != ptx::Atomic::add) return model::Access::atomic;
    if (ptx::is_float(modifiers.type) || effect.bytes == 8) return model::Access::atomic_loop;
    const ptx::Operand& operand = line.instruction->operands[line.instruction->operand_count - 1U];
    const bool adds_one = operand.kind == Kind::immediate && operand.immediate == 1;
    return adds_one && result_unused(line) ? model::Access::atomic_add_one : model::Access::atomic;
}

}  // namespace

model::Access access_of(const trace::Effect& effect, const CodeLine* line) {
    if (effect.kind == trace::EffectKind::load) return model::Access::load;
    if (effect.kind == trace::EffectKind::store || line == nullptr) return model::Access::store;
    return atomic_access(effect, *line);
}

model::Addresses addresses_of(const trace::Trace& trace, const trace::Effect& effect) {
    model::Addresses addresses{};
    for (const unsigned lane : effect.lanes) addresses[lane] = trace.address(effect, lane);
    return addresses;
}

}  // namespace lanescope::analysis
