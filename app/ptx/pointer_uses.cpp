#include "ptx/pointer_uses.h"

#include <algorithm>
#include <cstdint>
#include <span>

namespace lanescope::ptx {

namespace {

constexpr std::size_t most_parameters = 64;
constexpr unsigned deepest_call = 8;
using Parameters = std::uint64_t;  // a set: one bit each

using FoundUses = std::optional<std::vector<PointerUse>>;

void merge(PointerUse& into, const PointerUse& from) {
    into.loads = into.loads || from.loads;
    into.stores = into.stores || from.stores;
    into.updates = into.updates || from.updates;
}

/// One function, with those that it calls.
class Followed {
  public:
    Followed(const Module& module, const Function& function, unsigned depth)
        : module_(module),
          function_(function),
          depth_(depth),
          registers_(function.registers.size()),
          passed_(function.variables.size()) {}

    FoundUses uses();

  private:
    [[nodiscard]] Parameters held_by(const std::vector<RegisterId>& registers) const {
        Parameters all = 0;
        for (const RegisterId reg : registers) all |= registers_[reg.index()];
        return all;
    }
    /// Whether the place is memory of the function for arguments and results of calls.
    [[nodiscard]] static bool passes(const Instruction& instruction, const Operand& place) {
        return instruction.modifiers.space == Space::param && place.kind == Operand::Kind::memory &&
               place.owner == Operand::Owner::function;
    }
    [[nodiscard]] std::span<const Operand> list(const Operand& operand) const {
        return std::span(function_.vector_elements).subspan(operand.first, operand.elements);
    }
    [[nodiscard]] Parameters passed_in(const Operand& arguments) const {
        Parameters all = 0;
        for (const Operand& argument : list(arguments)) all |= passed_by(argument);
        return all;
    }
    [[nodiscard]] Parameters passed_by(const Operand& place) const {
        return place.owner == Operand::Owner::function ? passed_[place.variable] : 0;
    }
    static bool add(Parameters& to, Parameters from) {
        const Parameters before = to;
        to |= from;
        return to != before;
    }
    bool follow(const Instruction& instruction);
    bool note_call(const Instruction& call, std::vector<PointerUse>& found) const;
    bool note(const Instruction& instruction, std::vector<PointerUse>& found) const;

    const Module& module_;
    const Function& function_;
    unsigned depth_;
    std::vector<Parameters> registers_;
    std::vector<Parameters> passed_;  ///< by variable of the function
};

/// Returns whether something new became known.
bool Followed::follow(const Instruction& instruction) {
    const auto operands = std::span(instruction.operands).first(instruction.operand_count);
    bool changes = false;
    Parameters from = 0;
    switch (instruction.action()) {
        case Action::load:
            if (operands.size() < 2 || operands[1].kind != Operand::Kind::memory) break;
            if (operands[1].owner == Operand::Owner::parameter) from = Parameters{1} << operands[1].variable;
            if (passes(instruction, operands[1])) from = passed_[operands[1].variable];
            break;
        case Action::store:
            if (!operands.empty() && passes(instruction, operands[0]))
                changes = add(passed_[operands[0].variable], held_by(uses_of(function_, instruction).data));
            break;
        case Action::call:
            for (const Operand& result : list(operands[0]))
                if (result.owner == Operand::Owner::function)
                    changes = add(passed_[result.variable], passed_in(operands[2])) || changes;
            break;
        case Action::compute: from = held_by(uses_of(function_, instruction).data); break;
        default: break;
    }
    for (const RegisterId reg : definitions_of(function_, instruction))
        changes = add(registers_[reg.index()], from) || changes;
    return changes;
}

/// Returns false if what the called function does with a pointer is not known.
bool Followed::note_call(const Instruction& call, std::vector<PointerUse>& found) const {
    const Operand& target = call.operands[1];
    if (passed_in(call.operands[2]) == 0) return true;
    if (target.kind != Operand::Kind::function || depth_ == 0) return false;
    const Function& callee = module_.functions[target.function];
    const auto uses = callee.defined ? Followed(module_, callee, depth_ - 1).uses() : std::nullopt;
    const auto arguments = list(call.operands[2]);
    for (std::size_t j = 0; j < arguments.size(); ++j) {
        for (std::size_t i = 0; i < found.size(); ++i) {
            if ((passed_by(arguments[j]) >> i & 1U) == 0) continue;
            // The compiler's own functions have no body: "__iAtomicAdd".
            const bool atomic = !callee.defined && callee.name.find("Atomic") != std::string::npos;
            if (!uses && !atomic) return false;
            merge(found[i], uses ? (*uses)[j] : PointerUse{.updates = true});
        }
    }
    return true;
}

/// Returns false if the use of a pointer by the instruction is not known.
bool Followed::note(const Instruction& instruction, std::vector<PointerUse>& found) const {
    const Action action = instruction.action();
    if (action == Action::call) return note_call(instruction, found);
    const Uses uses = uses_of(function_, instruction);
    const bool stores = action == Action::store;
    // A pointer stored in memory is not followed. A number of fewer than 64 bits is no pointer.
    if (stores && !passes(instruction, instruction.operands[0]) &&
        bytes_of(instruction.modifiers.type) == sizeof(std::uint64_t) && held_by(uses.data) != 0)
        return false;
    const Parameters through = held_by(uses.address);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if ((through >> i & 1U) == 0) continue;
        if (action == Action::copy) return false;  // it reads through one of its addresses and writes through the other
        merge(found[i], {.loads = action == Action::load, .stores = stores, .updates = action == Action::atomic});
    }
    return true;
}

FoundUses Followed::uses() {
    if (function_.parameters.size() > most_parameters) return std::nullopt;
    const auto& instructions = function_.instructions;
    for (bool changes = true; changes;) {
        changes = false;
        for (const Instruction& instruction : instructions) changes = follow(instruction) || changes;
    }
    std::vector<PointerUse> found(function_.parameters.size());
    for (const Instruction& instruction : instructions)
        if (!note(instruction, found)) return std::nullopt;
    return found;
}

}  // namespace

std::optional<std::vector<PointerUse>> pointer_uses(const Module& module, const Function& kernel) {
    return Followed(module, kernel, deepest_call).uses();
}

}  // namespace lanescope::ptx
