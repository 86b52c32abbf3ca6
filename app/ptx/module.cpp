#include "ptx/module.h"

#include <algorithm>

namespace lanescope::ptx {

std::optional<std::uint32_t> Function::instruction_at(PtxLine at) const {
    const auto found = std::ranges::lower_bound(instructions, at, {}, &Instruction::line);
    if (found == instructions.end() || found->line != at) return std::nullopt;
    return static_cast<std::uint32_t>(found - instructions.begin());
}

const Function* Module::find(std::string_view name) const {
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? nullptr : &*found;
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

}  // namespace lanescope::ptx
