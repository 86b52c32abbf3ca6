// Instruction -> PTX text, which parses back to the same instruction.
#include "ptx/module.h"

#include <fmt/format.h>
#include <iterator>

namespace lanescope::ptx {
namespace {

class Printer {
  public:
    Printer(const Module& module, const Function& function) : module_(module), function_(function) {}

    std::string print(const Instruction& instruction) {
        if (instruction.guard)
            add("@{}{} ", instruction.guard->negated ? "!" : "", name_of_register(instruction.guard->predicate));
        add("{}", mnemonic(instruction));
        if (instruction.opcode == Opcode::call) {
            call(instruction);
        } else {
            for (std::size_t i = 0; i < instruction.operand_count; ++i) {
                add("{}", i == 0 ? " " : ", ");
                operand(instruction, i);
            }
        }
        add(";");
        return std::move(text_);
    }

  private:
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    }

    [[nodiscard]] const std::string& name_of_register(RegisterId reg) const {
        return function_.registers[reg.index()].name;
    }

    void offset(std::int64_t value) {
        if (value != 0) add("+{}", value);
    }

    /// A float's bits as 0f or 0d, if the instruction takes a float; other constants in decimal.
    void immediate(const Operand& operand) {
        if (operand.type == Type::f32) {
            add("0f{:08X}", static_cast<std::uint32_t>(operand.immediate));
        } else if (operand.type == Type::f64) {
            add("0d{:016X}", operand.immediate);
        } else {
            add("{}", static_cast<std::int64_t>(operand.immediate));
        }
    }

    void operand(const Instruction& instruction, std::size_t index) {
        const Operand& operand = instruction.operands[index];
        if (instruction.opcode == Opcode::brx && index == 1) {
            add("{}", function_.labels[operand.target].name);
        } else {
            one(operand);
        }
    }

    void one(const Operand& operand) {
        if (operand.negated) add("!");
        switch (operand.kind) {
            case Operand::Kind::none: break;
            case Operand::Kind::reg: add("{}", name_of_register(operand.reg)); break;
            case Operand::Kind::special: add("{}", name_of(operand.special)); break;
            case Operand::Kind::immediate: immediate(operand); break;
            case Operand::Kind::address:
                add("{}", variable_of(module_, function_, operand)->name);
                offset(operand.offset);
                break;
            case Operand::Kind::memory: memory(operand); break;
            case Operand::Kind::label: add("{}", function_.labels[operand.first].name); break;
            case Operand::Kind::vector: list(operand, "{", "}"); break;
            case Operand::Kind::function: add("{}", module_.functions[operand.function].name); break;
            case Operand::Kind::sink: add("_"); break;
        }
        if (operand.paired.valid()) add("|{}", name_of_register(operand.paired));
    }

    void memory(const Operand& operand) {
        add("[");
        if (operand.reg.valid()) {
            add("{}", name_of_register(operand.reg));
            offset(operand.offset);
            if (operand.elements > 0) {
                add(", ");
                list(operand, "{", "}");
            }
        } else if (const Variable* variable = variable_of(module_, function_, operand)) {
            add("{}", variable->name);
            offset(operand.offset);
        } else {
            add("{}", operand.offset);
        }
        add("]");
    }

    void list(const Operand& operand, std::string_view open, std::string_view close) {
        add("{}", open);
        for (std::uint32_t i = 0; i < operand.elements; ++i) {
            if (i > 0) add(", ");
            one(function_.vector_elements[operand.first + i]);
        }
        add("{}", close);
    }

    void call(const Instruction& instruction) {
        add(" ");
        if (instruction.operands[0].elements > 0) {
            list(instruction.operands[0], "(", ")");
            add(", ");
        }
        one(instruction.operands[1]);
        if (instruction.operands[2].elements > 0) {
            add(", ");
            list(instruction.operands[2], "(", ")");
        }
    }

    const Module& module_;
    const Function& function_;
    std::string text_;
};

}  // namespace

std::string mnemonic(const Instruction& instruction) {
    std::string text(info(instruction.opcode).name);
    for (std::size_t i = 0; i < instruction.modifiers.suffix_count; ++i) {
        text += '.';
        text += known_suffix(instruction.modifiers.suffixes[i]);
    }
    return text;
}

std::string print(const Module& module, const Function& function, const Instruction& instruction) {
    return Printer(module, function).print(instruction);
}

}  // namespace lanescope::ptx
