#include "execute/emulator/pointers.h"

namespace lanescope::execute {

namespace {

/// What a register may hold: no address, one into one array, or who knows.
struct Meaning {
    const ptx::Variable* array = nullptr;
    bool several = false;

    void add(const Meaning& other) {
        several = several || other.several || (array != nullptr && other.array != nullptr && array != other.array);
        if (array == nullptr) array = other.array;
    }
    friend bool operator==(const Meaning&, const Meaning&) = default;
};

/// Results that are addresses where an operand is one.
bool passes_on_addresses(ptx::Opcode opcode) {
    switch (opcode) {
        case ptx::Opcode::mov:
        case ptx::Opcode::cvta:
        case ptx::Opcode::cvt:
        case ptx::Opcode::add:
        case ptx::Opcode::sub:
        case ptx::Opcode::mad:
        case ptx::Opcode::selp: return true;
        default: return false;
    }
}

Meaning meaning_of(const ptx::Module& module, const ptx::Function& function, const ptx::Operand& operand,
                   const std::vector<Meaning>& registers) {
    if (operand.kind == ptx::Operand::Kind::reg) return registers[operand.reg.index()];
    if (operand.kind != ptx::Operand::Kind::address) return {};
    const ptx::Variable* variable = ptx::variable_of(module, function, operand);
    if (variable == nullptr || variable->space != ptx::Space::shared) return {};
    return {.array = variable, .several = variable->dynamic()};
}

}  // namespace

std::vector<const ptx::Variable*> shared_arrays_in_registers(const ptx::Module& module, const ptx::Function& function) {
    std::vector<Meaning> registers(function.registers.size());
    for (bool grew = true; grew;) {
        grew = false;
        for (const ptx::Instruction& instruction : function.instructions) {
            if (!passes_on_addresses(instruction.opcode)) continue;
            if (instruction.operands[0].kind != ptx::Operand::Kind::reg) continue;
            Meaning& result = registers[instruction.operands[0].reg.index()];
            const Meaning before = result;
            for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
                result.add(meaning_of(module, function, instruction.operands[i], registers));
            }
            grew = grew || result != before;
        }
    }
    std::vector<const ptx::Variable*> arrays;
    arrays.reserve(registers.size());
    for (const Meaning& meaning : registers) arrays.push_back(meaning.several ? nullptr : meaning.array);
    return arrays;
}

}  // namespace lanescope::execute
