// Which bits of its registers a function uses, by data flow backward from what it computes, compares and addresses.
#include "execute/emulator/decode/register_facts.h"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace lanescope::execute {

namespace {

using ptx::Instruction;
using ptx::Operand;
using ptx::ResultBits;
using Bits = std::uint64_t;

constexpr Bits all = ~Bits{0};

Bits low(unsigned count) { return count >= 64 ? all : (Bits{1} << count) - 1U; }

bool is_whole(ptx::Type type) { return type != ptx::Type::none && type != ptx::Type::pred && !ptx::is_float(type); }

std::optional<unsigned> constant(const Operand& operand) {
    if (operand.kind != Operand::Kind::immediate || operand.immediate > 64) return std::nullopt;
    return static_cast<unsigned>(operand.immediate);
}

class UsedBits {
  public:
    UsedBits(const ptx::Module& module, const ptx::Function& function)
        : module_(module),
          function_(function),
          used_(function.registers.size(), 0),
          definitions_(function.registers.size(), 0),
          loaded_(function.registers.size(), false) {
        for (const Instruction& instruction : function.instructions) {
            const bool loads = instruction.action() == ptx::Action::load;
            if (loads) read_.insert(place_of(instruction.operands[1]));
            for (const RegisterId reg : ptx::definitions_of(function, instruction)) {
                ++definitions_[reg.index()];
                loaded_[reg.index()] = loads;
            }
        }
    }

    std::vector<Bits> run() {
        // From the last instruction to the first; a loop needs another pass.
        for (grew_ = true; grew_;) {
            grew_ = false;
            for (auto at = function_.instructions.rbegin(); at != function_.instructions.rend(); ++at) visit(*at);
        }
        return std::move(used_);
    }

  private:
    void use(const Operand& operand, Bits bits) {
        if (operand.kind != Operand::Kind::reg) return;
        Bits& used = used_[operand.reg.index()];
        grew_ = grew_ || (bits & ~used) != 0;
        used |= bits;
    }
    void use(RegisterId reg) {
        grew_ = grew_ || used_[reg.index()] != all;
        used_[reg.index()] = all;
    }
    [[nodiscard]] Bits of(const Operand& operand) const {
        return operand.kind == Operand::Kind::reg ? used_[operand.reg.index()] : 0;
    }

    void visit(const Instruction& instruction) {
        if (instruction.guard) use(instruction.guard->predicate);
        if (instruction.action() == ptx::Action::store && !passes_number(instruction)) {
            const ptx::Uses uses = ptx::uses_of(function_, instruction);
            for (const RegisterId reg : uses.address) use(reg);
            for (const RegisterId reg : uses.data) {
                if (!is_loaded(reg) && !stays(instruction)) use(reg);
            }
        } else if (!moves(instruction)) {
            const ptx::Uses uses = ptx::uses_of(function_, instruction);
            for (const RegisterId reg : uses.data) use(reg);
            for (const RegisterId reg : uses.address) use(reg);
        }
    }

    /// The register is stored as it was loaded.
    [[nodiscard]] bool is_loaded(RegisterId reg) const {
        return definitions_[reg.index()] == 1 && loaded_[reg.index()];
    }
    /// A composed value is stored where a part of it was read, as when a bit-field is set, or in the kernel's own
    /// memory.
    [[nodiscard]] bool stays(const Instruction& store) const {
        const ptx::Space space = store.modifiers.space;
        const bool own = space != ptx::Space::global && space != ptx::Space::generic;
        return own || read_.contains(place_of(store.operands[0]));
    }
    using Place = std::tuple<std::uint32_t, std::uint32_t, Operand::Owner, std::int64_t>;
    static Place place_of(const Operand& memory) {
        return {memory.reg.value, memory.variable, memory.owner, memory.offset};
    }

    /// st.param to a parameter or result that is one number: a structure's is an array of bytes (PTX ISA 5.2.2, 7.1).
    [[nodiscard]] bool passes_number(const Instruction& instruction) const {
        if (instruction.modifiers.space != ptx::Space::param) return false;
        const ptx::Variable* const variable = ptx::variable_of(module_, function_, instruction.operands[0]);
        return variable == nullptr || variable->type != ptx::Type::b8;
    }

    /// Whether each bit of the result is a bit of an operand or of none: then a used bit of the result is a used bit of
    /// the operand.
    bool moves(const Instruction& instruction) {
        const auto& [result, a, b, c, d, e] = instruction.operands;
        const Bits wanted = of(result);
        const ptx::Type type = instruction.modifiers.type;
        const unsigned width = 8 * ptx::bytes_of(type);
        switch (instruction.meaning().bits) {
            case ResultBits::copied: return move(instruction, 8 * ptx::bytes_of(type));
            case ResultBits::converted: return convert(instruction);
            case ResultBits::chosen:
                use(a, wanted);
                use(b, wanted);
                use(c, all);
                return true;
            case ResultBits::conjunction:
            case ResultBits::disjunction:
            case ResultBits::exclusive:
            case ResultBits::complement:
                if (type == ptx::Type::pred) return false;
                use(a, wanted & kept_beside(instruction.meaning().bits, b));
                if (instruction.operand_count > 2) use(b, wanted & kept_beside(instruction.meaning().bits, a));
                return true;
            case ResultBits::left:
                if (!constant(b)) return false;
                use(a, *constant(b) >= width ? 0 : (wanted & low(width)) >> *constant(b));
                return true;
            case ResultBits::right: return shift_right(a, b, wanted, width, ptx::is_signed(type));
            case ResultBits::inserted: {
                if (!constant(c) || !constant(d)) return false;
                const Bits field = *constant(c) >= width ? 0 : low(*constant(d)) << *constant(c);
                use(a, *constant(c) >= width ? 0 : (wanted & field) >> *constant(c));
                use(b, wanted & ~field);
                return true;
            }
            case ResultBits::extracted: {
                if (!constant(b) || !constant(c) || ptx::is_signed(type)) return false;
                use(a, *constant(b) >= width ? 0 : (wanted & low(*constant(c))) << *constant(b));
                return true;
            }
            case ResultBits::permuted: return permute(instruction, wanted);
            case ResultBits::mixed: return false;
        }
        return false;
    }

    /// The operand's bits that can show in the result, whatever the other operand is.
    static Bits kept_beside(ResultBits rule, const Operand& other) {
        if (other.kind != Operand::Kind::immediate) return all;
        if (rule == ResultBits::conjunction) return other.immediate;
        return rule == ResultBits::disjunction ? ~other.immediate : all;
    }

    bool move(const Instruction& instruction, unsigned width) {
        const Operand& to = instruction.operands[0];
        const Operand& from = instruction.operands[1];
        if (to.kind == Operand::Kind::vector) {
            const unsigned part = width / std::max(to.elements, 1U);
            Bits wanted = 0;
            for (unsigned i = 0; i < to.elements; ++i) {
                wanted |= (of(function_.vector_elements[to.first + i]) & low(part)) << (i * part);
            }
            use(from, wanted);
        } else if (from.kind == Operand::Kind::vector) {
            const unsigned part = width / std::max(from.elements, 1U);
            for (unsigned i = 0; i < from.elements; ++i) {
                use(function_.vector_elements[from.first + i], (of(to) >> (i * part)) & low(part));
            }
        } else {
            use(from, of(to));
        }
        return true;
    }

    bool convert(const Instruction& instruction) {
        const ptx::Type source = instruction.modifiers.source_type;
        if (!is_whole(instruction.modifiers.type) || !is_whole(source) || instruction.modifiers.sat) return false;
        const unsigned width = 8 * ptx::bytes_of(source);
        const Bits wanted = of(instruction.operands[0]);
        const bool sign = ptx::is_signed(source) && (wanted & ~low(width)) != 0;
        use(instruction.operands[1], (wanted & low(width)) | (sign ? Bits{1} << (width - 1U) : 0));
        return true;
    }

    bool shift_right(const Operand& value, const Operand& amount, Bits wanted, unsigned width, bool sign) {
        if (!constant(amount) || *constant(amount) >= width) return false;
        const unsigned by = *constant(amount);
        const bool wants_sign = sign && (wanted & ~low(width - by)) != 0;
        use(value, ((wanted << by) & low(width)) | (wants_sign ? Bits{1} << (width - 1U) : 0));
        return true;
    }

    /// Bytes of two words, by a constant selector (PTX ISA 9.7.9.7).
    bool permute(const Instruction& instruction, Bits wanted) {
        const Operand& selector = instruction.operands[3];
        if (selector.kind != Operand::Kind::immediate) return false;
        if (instruction.modifiers.permute != ptx::Permute::none) return false;
        for (unsigned byte = 0; byte < 4; ++byte) {
            const auto chosen = static_cast<unsigned>(selector.immediate >> (4 * byte)) & 0xFU;
            Bits bits = (wanted >> (8 * byte)) & 0xFFU;
            if ((chosen & 8U) != 0 && bits != 0) bits = 0x80;
            use(instruction.operands[(chosen & 4U) != 0 ? 2 : 1], bits << (8 * (chosen & 3U)));
        }
        return true;
    }

    const ptx::Module& module_;
    const ptx::Function& function_;
    std::vector<Bits> used_;
    std::vector<std::uint32_t> definitions_;  ///< instructions that write the register
    std::vector<bool> loaded_;                ///< the last of them is a load
    std::set<Place> read_;                    ///< where loads read
    bool grew_ = false;
};

}  // namespace

std::vector<std::uint64_t> used_bits(const ptx::Module& module, const ptx::Function& function) {
    return UsedBits(module, function).run();
}

}  // namespace lanescope::execute
