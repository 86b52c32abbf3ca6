#include "analysis/expressions/formula.h"

#include "analysis/expressions/operator_text.h"
#include "analysis/source/element_type.h"
#include "analysis/source/members.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lanescope::analysis {
namespace {

using Form = OperatorText::Form;

constexpr std::string_view elision = "...";

/// "-1", "-2.5": an operand in brackets never begins like one.
bool is_negative_number(std::string_view text) {
    return text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9';
}

/// Writes a value as an expression of inputs, left to right, as far as there is room.
class Speller {
  public:
    Speller(const trace::Trace& trace, const Provenance& provenance, trace::Element element)
        : trace_(trace), provenance_(provenance), element_(element) {}

    /// The value in about `room` characters; `inside`: as an operand, in brackets where it needs them. Each level of
    /// brackets takes room, so that the depth is bounded by the length.
    [[nodiscard]] std::string spell(ValueId id, std::size_t room, bool inside) const {
        id = past_copies(id);
        const InstructionInfo* const line = line_of(id);
        const auto parts = line != nullptr ? operands_of(id, *line) : std::vector<Part>{};
        if (line == nullptr || parts.empty()) {
            std::string text = number(provenance_[id]);
            return inside && text.size() > std::max(room, elision.size()) ? std::string(elision) : text;
        }

        const OperatorText op = operator_text(*line->instruction);
        const bool brackets = op.form == Form::call || inside;
        std::string text = op.form == Form::call ? std::string(op.symbol) : text_before(op, 0);
        // Where not even the elided operands fit, the whole is elided.
        const std::size_t least = text.size() + parts.size() * elision.size() +
                                  (parts.size() - 1) * text_before(op, 1).size() + (brackets ? 2 : 0);
        if (room < least) return std::string(elision);
        if (brackets) text += "(";
        for (std::size_t i = 0; i < parts.size(); ++i) {
            std::string before = i > 0 ? text_before(op, i) : std::string();
            const std::size_t kept =
                (parts.size() - 1 - i) * (text_before(op, 1).size() + elision.size()) + (brackets ? 1 : 0);
            const std::size_t used = text.size() + before.size() + kept;
            const std::size_t left = room > used ? room - used : 0;
            std::string operand =
                parts[i].value.valid() ? spell(parts[i].value, left, op.form != Form::call) : parts[i].text;
            if (before == " + " && is_negative_number(operand)) {
                before = " - ";
                operand.erase(0, 1);
            }
            text += before + operand;
        }
        if (brackets) text += ")";
        return text;
    }

  private:
    /// An operand: a value, or an immediate's text.
    struct Part {
        ValueId value;
        std::string text;
    };

    [[nodiscard]] const InstructionInfo* line_of(ValueId id) const {
        const StepId step = provenance_[id].step;
        return step.valid() ? provenance_.instructions().at(trace_.step(step).line) : nullptr;
    }

    /// Follows registers and cells that hold a copy of another one, possibly converted.
    [[nodiscard]] ValueId past_copies(ValueId id) const {
        while (provenance_[id].input_dependent) {
            const auto parents = provenance_.parents(id);
            const InstructionInfo* const line = line_of(id);
            if (parents.size() != 1 || line == nullptr) return id;
            const bool computes =
                line->flow == Flow::compute && operator_text(*line->instruction).form != Form::transparent;
            if (computes || line->flow == Flow::reduce || provenance_[id].application) return id;
            id = parents.front();
        }
        return id;
    }

    /// The operands of the value, in the order of the instruction; nothing for inputs, constants and the like.
    [[nodiscard]] std::vector<Part> operands_of(ValueId id, const InstructionInfo& line) const {
        const TracedValue& value = provenance_[id];
        if (!value.input_dependent || operator_text_form(line) == Form::none) return {};
        const auto data = provenance_.instructions().data(line);
        const auto parents = provenance_.parents(id);
        std::vector<Part> parts;
        std::size_t next = 0;
        const ptx::Instruction& instruction = *line.instruction;
        for (std::size_t i = 0; i < data.size(); ++i) {
            if (data[i].valid()) {
                if (next == parents.size()) return {};  // a register that was never written: an operand is missing
                parts.push_back({parents[next++], {}});
                continue;
            }
            const ptx::Operand& operand = instruction.operands[instruction.destination_count + i];
            if (operand.kind != ptx::Operand::Kind::immediate) return {};
            parts.push_back({{}, number_of(operand.immediate, provenance_[id].bytes)});
        }
        return parts;
    }

    static Form operator_text_form(const InstructionInfo& line) {
        if (line.flow != Flow::compute) return Form::none;
        const Form form = operator_text(*line.instruction).form;
        return form == Form::transparent ? Form::none : form;
    }

    [[nodiscard]] std::string number_of(std::uint64_t bits, unsigned bytes) const {
        return trace::text_of(bytes == trace::bytes_of(element_) ? element_ : integer_of(bytes), bits);
    }

    [[nodiscard]] std::string number(const TracedValue& value) const {
        const trace::Buffer* const buffer = value.is_given() ? trace_.buffer_at(value.address) : nullptr;
        if (value.is_given() || value.is_cell()) {
            const std::uint32_t launch = value.step.valid() ? trace_.step(value.step).launch : 0;
            const auto member =
                member_element(trace_, provenance_.module(), launch, value.space, value.address, value.bytes);
            if (member) return trace::text_of(*member, value.bits);
        }
        return buffer != nullptr ? trace::text_of(buffer->element, value.bits) : number_of(value.bits, value.bytes);
    }

    const trace::Trace& trace_;
    const Provenance& provenance_;
    trace::Element element_;
};

}  // namespace

std::string expression_of(const trace::Trace& trace, const Provenance& provenance, ValueId value,
                          trace::Element element, std::size_t length) {
    return Speller(trace, provenance, element).spell(value, length, false);
}

}  // namespace lanescope::analysis
