#include "ptx/module.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

template <class Visit>
void for_each_register(const Function& function, const Operand& operand, Visit visit) {
    if (operand.kind == Operand::Kind::reg) visit(operand.reg);
    if (operand.kind == Operand::Kind::memory && operand.reg.valid()) visit(operand.reg);
    if (operand.kind == Operand::Kind::vector || operand.kind == Operand::Kind::memory)
        for (std::uint32_t i = 0; i < operand.elements; ++i) {
            const Operand& element = function.vector_elements[operand.first + i];
            if (element.kind == Operand::Kind::reg) visit(element.reg);
        }
}

}  // namespace

std::optional<std::uint32_t> Function::instruction_at(PtxLine at) const {
    const auto found = std::ranges::lower_bound(instructions, at, {}, &Instruction::line);
    if (found == instructions.end() || found->line != at) return std::nullopt;
    return static_cast<std::uint32_t>(found - instructions.begin());
}

const Function* Module::find(std::string_view name) const {
    const Function* first = nullptr;
    for (const Function& function : functions) {
        if (function.name != name) continue;
        if (function.entry) return &function;
        if (first == nullptr) first = &function;
    }
    return first;
}

std::optional<std::uint32_t> Module::variable_named(std::string_view name, std::optional<std::uint32_t> unit) const {
    std::optional<std::uint32_t> found, of_unit;
    bool several = false;
    for (std::uint32_t i = 0; i < variables.size(); ++i) {
        if (variables[i].name != name) continue;
        several = several || found.has_value();
        found = i;
        if (unit == variables[i].unit) of_unit = i;
    }
    return several ? of_unit : found;
}

std::vector<const Function*> Module::entries() const {
    std::vector<const Function*> kernels;
    for (const Function& function : functions)
        if (function.entry && function.defined) kernels.push_back(&function);
    return kernels;
}

std::string_view Module::text_line(PtxLine at) const {
    if (!at.valid() || at.value == 0 || at.value > line_starts.size()) return {};
    const std::size_t begin = line_starts[at.value - 1];
    const std::size_t end = at.value < line_starts.size() ? line_starts[at.value] : text.size();
    std::string_view line = std::string_view(text).substr(begin, end - begin);
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

const Variable* variable_of(const Module& module, const Function& function, const Operand& operand) {
    switch (operand.owner) {
        case Operand::Owner::none: break;
        case Operand::Owner::module: return &module.variables[operand.variable];
        case Operand::Owner::function: return &function.variables[operand.variable];
        case Operand::Owner::parameter: return &function.parameters[operand.variable];
        case Operand::Owner::result: return &function.results[operand.variable];
    }
    return nullptr;
}

std::uint64_t shared_offset_of(const Function& entry, const Variable& variable) {
    return variable.dynamic() ? entry.dynamic_shared_offset : variable.offset;
}

const SourceVariable* variable_in(const Function& function, RegisterId reg, PtxLine line) {
    const SourceVariable* innermost = nullptr;
    std::uint32_t narrowest = 0;
    for (const SourceVariable& variable : function.source_variables) {
        for (const VariableRange& range : variable.ranges) {
            if (range.reg != reg || line < range.first || line >= range.past_last) continue;
            const std::uint32_t lines = variable.scope_last_line - variable.scope_first_line;
            if (innermost != nullptr && lines > narrowest) continue;
            innermost = &variable;
            narrowest = lines;
        }
    }
    return innermost;
}

Uses uses_of(const Function& function, const Instruction& instruction) {
    Uses uses;
    for (std::size_t i = 0; i < instruction.operand_count; ++i) {
        const Operand& operand = instruction.operands[i];
        if (operand.kind == Operand::Kind::memory) {
            for_each_register(function, operand, [&](RegisterId reg) { uses.address.push_back(reg); });
        } else if (i >= instruction.destination_count) {
            for_each_register(function, operand, [&](RegisterId reg) { uses.data.push_back(reg); });
        }
    }
    if (instruction.modifiers.carry_in) uses.data.push_back(function.carry);
    return uses;
}

std::vector<RegisterId> definitions_of(const Function& function, const Instruction& instruction) {
    std::vector<RegisterId> written;
    for (std::size_t i = 0; i < instruction.destination_count; ++i) {
        const Operand& operand = instruction.operands[i];
        for_each_register(function, operand, [&](RegisterId reg) { written.push_back(reg); });
        if (operand.paired.valid()) written.push_back(operand.paired);
    }
    if (instruction.modifiers.carry_out) written.push_back(function.carry);
    return written;
}

}  // namespace lanescope::ptx
