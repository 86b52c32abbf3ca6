// Which array an address in a register was made from, found by following values from one register to the next.
#include "execute/emulator/decode/register_facts.h"

namespace lanescope::execute {

namespace {

/// The value of a register: no address, an address in a known array, or unknown.
struct Meaning {
    const ptx::Variable* array = nullptr;
    bool several = false;

    void add(const Meaning& other) {
        several = several || other.several || (array != nullptr && other.array != nullptr && array != other.array);
        if (array == nullptr) array = other.array;
    }
    friend bool operator==(const Meaning&, const Meaning&) = default;
};

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
            if (instruction.meaning().address == ptx::AddressUse::none) continue;
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

namespace {

/// The value of a register: nothing of interest, the stack pointer (an offset in a local variable of the PTX), or an
/// address in an array.
struct LocalMeaning {
    enum class Kind : std::uint8_t { none, stack, in_array, unknown };
    Kind kind = Kind::none;
    std::uint32_t index = 0;  ///< stack: of the variable; in_array: of the array
    std::int64_t offset = 0;  ///< stack: in the variable

    void add(const LocalMeaning& other) {
        if (other.kind == Kind::none || *this == other) return;
        *this = kind == Kind::none ? other : LocalMeaning{.kind = Kind::unknown};
    }
    friend bool operator==(const LocalMeaning&, const LocalMeaning&) = default;
};

/// The only array at an offset of a local variable; none if there are several, or none is known.
LocalMeaning array_at(const ptx::Module& module, std::uint32_t function, const LocalMeaning& stack, std::int64_t more) {
    const auto place = static_cast<std::uint64_t>(stack.offset + more);
    LocalMeaning found;
    for (std::uint32_t i = 0; i < module.arrays.size(); ++i) {
        const ptx::SourceArray& array = module.arrays[i];
        if (array.space != ptx::Space::local || array.function != function || array.variable != stack.index) continue;
        std::uint64_t bytes = array.element_bytes;
        for (const std::uint64_t extent : array.extents) bytes *= extent;
        if (place - array.offset >= bytes) continue;
        if (found.kind != LocalMeaning::Kind::none) return {.kind = LocalMeaning::Kind::unknown};
        found = {.kind = LocalMeaning::Kind::in_array, .index = i};
    }
    return found.kind == LocalMeaning::Kind::none ? LocalMeaning{.kind = LocalMeaning::Kind::unknown} : found;
}

}  // namespace

std::vector<std::uint32_t> local_arrays_in_registers(const ptx::Module& module, const ptx::Function& function) {
    using Kind = LocalMeaning::Kind;
    const auto number = static_cast<std::uint32_t>(&function - module.functions.data());
    std::vector<LocalMeaning> registers(function.registers.size());
    const auto meaning = [&](const ptx::Operand& operand) -> LocalMeaning {
        if (operand.kind == ptx::Operand::Kind::reg) return registers[operand.reg.index()];
        if (operand.kind != ptx::Operand::Kind::address || operand.owner != ptx::Operand::Owner::function) return {};
        if (function.variables[operand.variable].space != ptx::Space::local) return {};
        return {.kind = Kind::stack, .index = operand.variable, .offset = operand.offset};
    };
    for (bool grew = true; grew;) {
        grew = false;
        for (const ptx::Instruction& instruction : function.instructions) {
            if (instruction.meaning().address == ptx::AddressUse::none) continue;
            if (instruction.operands[0].kind != ptx::Operand::Kind::reg) continue;
            LocalMeaning& result = registers[instruction.operands[0].reg.index()];
            const LocalMeaning before = result;
            for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
                LocalMeaning operand = meaning(instruction.operands[i]);
                if (operand.kind == Kind::stack && instruction.operand_count > 2) {
                    const ptx::Operand& other = instruction.operands[3 - i];
                    const bool constant = instruction.meaning().address == ptx::AddressUse::sum &&
                                          other.kind == ptx::Operand::Kind::immediate;
                    operand = constant ? array_at(module, number, operand, static_cast<std::int64_t>(other.immediate))
                                       : LocalMeaning{.kind = Kind::unknown};
                }
                result.add(operand);
            }
            grew = grew || result != before;
        }
    }
    std::vector<std::uint32_t> arrays;
    arrays.reserve(registers.size());
    for (const LocalMeaning& found : registers) {
        arrays.push_back(found.kind == Kind::in_array ? found.index : ptx::Operand::no_variable);
    }
    return arrays;
}

}  // namespace lanescope::execute
