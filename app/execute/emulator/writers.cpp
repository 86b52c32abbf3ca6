#include "execute/emulator/writers.h"

#include <functional>
#include <optional>

namespace lanescope::execute {

namespace {

/// The origin of an address.
struct Origin {
    enum class Kind : std::uint8_t { none, parameter, variable, unknown };
    Kind kind = Kind::none;
    std::uint32_t parameter = 0;  ///< of the kernel
    const ptx::Variable* variable = nullptr;

    void add(const Origin& other) {
        if (other.kind == Kind::none || *this == other) return;
        *this = kind == Kind::none ? other : Origin{.kind = Kind::unknown};
    }
    friend bool operator==(const Origin&, const Origin&) = default;
};

/// The origins of one function's registers, found by following values from one register to the next.
class Origins {
  public:
    Origins(const ptx::Module& module, const ptx::Function& function)
        : module_(module), function_(function), registers_(function.registers.size()) {
        for (bool grew = true; grew;) {
            grew = false;
            for (const ptx::Instruction& instruction : function.instructions) grew = follow(instruction) || grew;
        }
    }

    /// The origin of the address that the instruction accesses.
    [[nodiscard]] Origin accessed(const ptx::Instruction& instruction) const {
        for (unsigned i = 0; i < instruction.operand_count; ++i) {
            const ptx::Operand& operand = instruction.operands[i];
            if (operand.kind != ptx::Operand::Kind::memory) continue;
            if (operand.variable != ptx::Operand::no_variable) return of_variable(operand);
            if (!operand.reg.valid()) return {.kind = Origin::Kind::unknown};
            const Origin origin = registers_[operand.reg.index()];
            return origin.kind == Origin::Kind::none ? Origin{.kind = Origin::Kind::unknown} : origin;
        }
        return {.kind = Origin::Kind::unknown};
    }

  private:
    [[nodiscard]] Origin of_variable(const ptx::Operand& operand) const {
        return {.kind = Origin::Kind::variable, .variable = ptx::variable_of(module_, function_, operand)};
    }

    [[nodiscard]] Origin of_operand(const ptx::Operand& operand) const {
        if (operand.kind == ptx::Operand::Kind::reg) return registers_[operand.reg.index()];
        if (operand.kind == ptx::Operand::Kind::address) return of_variable(operand);
        return {};
    }

    bool follow(const ptx::Instruction& instruction) {
        if (instruction.destination_count == 0 || instruction.operands[0].kind != ptx::Operand::Kind::reg) return false;
        Origin& result = registers_[instruction.operands[0].reg.index()];
        const Origin before = result;
        if (instruction.meaning().address != ptx::AddressUse::none) {
            for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
                result.add(of_operand(instruction.operands[i]));
            }
        } else if (instruction.action() == ptx::Action::load) {
            result.add(loaded(instruction));
        }
        return result != before;
    }

    /// A pointer that is read from memory points anywhere.
    [[nodiscard]] Origin loaded(const ptx::Instruction& instruction) const {
        const ptx::Operand& from = instruction.operands[1];
        if (from.kind == ptx::Operand::Kind::memory && from.owner == ptx::Operand::Owner::parameter && function_.entry)
            return {.kind = Origin::Kind::parameter, .parameter = from.variable};
        return {.kind = Origin::Kind::unknown};
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    std::vector<Origin> registers_;
};

const ptx::Function* function_of(const ptx::Module& module, const ptx::Instruction& instruction) {
    for (const ptx::Function& function : module.functions) {
        const ptx::Instruction* const first = function.instructions.data();
        if (std::less_equal<>()(first, &instruction) &&
            std::less<>()(&instruction, first + function.instructions.size()))
            return &function;
    }
    return nullptr;
}

bool writes_memory(const Micro& micro) {
    return micro.kind == Kind::store || micro.kind == Kind::atomic || micro.kind == Kind::copy;
}

}  // namespace

Writers writers_of(const Code& code, const Wording& launch, ptx::Space space, std::uint64_t address) {
    using enum Origin::Kind;
    const ptx::Function* function = nullptr;
    std::optional<Origins> origins;  // of it
    const auto origin_at = [&](const ptx::Instruction& instruction) {
        const ptx::Function* const own = function_of(*code.module, instruction);
        if (own == nullptr) return Origin{.kind = unknown};
        if (own != function) origins.emplace(*code.module, *(function = own));
        return origins->accessed(instruction);
    };
    const bool shared = space == ptx::Space::shared;
    const std::optional<std::uint32_t> buffer = shared ? std::nullopt : launch.buffer_at(address);
    const auto holds_it = [&](const ptx::Variable& variable) {
        if (shared != (variable.space == ptx::Space::shared)) return false;
        if (shared) {
            const std::uint64_t begin = variable.dynamic() ? code.kernel->dynamic_shared_offset : variable.offset;
            return address >= begin && (variable.dynamic() || address - begin < variable.bytes);
        }
        const std::size_t index = static_cast<std::size_t>(&variable - code.module->variables.data());
        return index < code.addresses.size() && address - code.addresses[index] < variable.bytes;
    };
    Writers writers{.stores = {}, .all_known = true};
    for (Pc pc = 0; pc < code.micros.size(); ++pc) {
        const Micro& micro = code.micros[pc];
        if (!writes_memory(micro) || micro.instruction == nullptr) continue;
        const ptx::Space written = code.accesses[micro.access + (micro.kind == Kind::copy ? 1U : 0U)].space;
        if (written != ptx::Space::generic && written != space) continue;
        const Origin origin = origin_at(*micro.instruction);
        const bool there = origin.kind == parameter  ? buffer && launch.buffer_of_parameter(origin.parameter) == buffer
                           : origin.kind == variable ? holds_it(*origin.variable)
                                                     : false;
        if (there) writers.stores.push_back(pc);
        writers.all_known = writers.all_known && origin.kind != unknown;
    }
    return writers;
}

}  // namespace lanescope::execute
