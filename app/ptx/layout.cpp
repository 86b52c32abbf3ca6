#include "ptx/layout.h"

#include "ptx/graph.h"

#include <algorithm>

namespace lanescope::ptx {
namespace {

std::uint64_t aligned(std::uint64_t offset, std::uint64_t align) { return (offset + align - 1) / align * align; }

std::uint64_t lay_out(std::vector<Variable>& variables, Space space) {
    std::uint64_t end = 0;
    for (Variable& variable : variables) {
        if (variable.space != space) continue;
        variable.offset = aligned(end, variable.align);
        end = variable.offset + variable.bytes;
    }
    return end;
}

/// The shared variables of a module, and which function needs which: a row of bits for each function.
class SharedNeeds {
  public:
    explicit SharedNeeds(Module& module) : module_(module) {
        for (std::uint32_t i = 0; i < module.variables.size(); ++i)
            if (module.variables[i].space == Space::shared)
                add(&module.variables[i], number_of_module_, i, module.variables.size());
        for (Function& function : module.functions) {
            first_of_function_.push_back(static_cast<std::uint32_t>(variables_.size()));
            for (Variable& variable : function.variables)
                if (variable.space == Space::shared) variables_.push_back(&variable);
        }
        words_ = variables_.size() / 64 + 1;
        collect();
    }

    [[nodiscard]] const std::vector<Variable*>& variables() const { return variables_; }
    [[nodiscard]] bool needs(std::uint32_t function, std::size_t variable) const {
        return (row(function)[variable / 64] >> (variable % 64) & 1U) != 0;
    }

  private:
    static constexpr std::uint32_t not_shared = ~std::uint32_t{0};

    void add(Variable* variable, std::vector<std::uint32_t>& numbers, std::uint32_t index, std::size_t size) {
        numbers.resize(size, not_shared);
        numbers[index] = static_cast<std::uint32_t>(variables_.size());
        variables_.push_back(variable);
    }

    [[nodiscard]] const std::uint64_t* row(std::uint32_t function) const {
        return &bits_[components_.of[function] * words_];
    }

    /// The variables that each function names, and the functions it may call; then the union over all that it may
    /// reach.
    void collect() {
        const auto size = static_cast<std::uint32_t>(module_.functions.size());
        Graph calls(size);
        std::vector<std::uint64_t> own(size * words_, 0);
        std::vector<std::uint32_t> pointed_to;       // functions whose address is taken
        std::vector<std::uint32_t> calls_a_pointer;  // they may call any of those
        for (const Variable& variable : module_.variables)
            for (const Relocation& relocation : variable.relocations)
                if (relocation.of_function) pointed_to.push_back(relocation.index);
        for (std::uint32_t f = 0; f < size; ++f) {
            const Function& function = module_.functions[f];
            const auto need = [&](std::uint32_t number) {
                own[f * words_ + number / 64] |= std::uint64_t{1} << (number % 64);
            };
            std::uint32_t number = first_of_function_[f];
            for (const Variable& variable : function.variables)
                if (variable.space == Space::shared) need(number++);
            bool points = false;
            for (const Instruction& instruction : function.instructions) {
                for (const Operand& operand : instruction.operands) {
                    if (operand.owner == Operand::Owner::module && operand.variable < number_of_module_.size() &&
                        number_of_module_[operand.variable] != not_shared)
                        need(number_of_module_[operand.variable]);
                    if (operand.kind != Operand::Kind::function) continue;
                    if (instruction.opcode == Opcode::call) {
                        calls[f].push_back(operand.function);
                    } else {
                        pointed_to.push_back(operand.function);
                    }
                }
                points = points ||
                         (instruction.opcode == Opcode::call && instruction.operands[1].kind == Operand::Kind::reg);
            }
            if (points) calls_a_pointer.push_back(f);
        }
        // One more node for "any function whose address is taken" keeps the graph small.
        const std::uint32_t any = size;
        calls.push_back(std::move(pointed_to));
        for (const std::uint32_t f : calls_a_pointer) calls[f].push_back(any);

        components_ = strongly_connected(calls);
        std::vector<std::vector<std::uint32_t>> members(components_.count);
        for (std::uint32_t node = 0; node <= size; ++node) members[components_.of[node]].push_back(node);
        bits_.assign(components_.count * words_, 0);
        // Calls lead to lower components, which are complete when a component is processed.
        for (std::uint32_t component = 0; component < components_.count; ++component) {
            const auto unite = [&](const std::uint64_t* from) {
                for (std::size_t word = 0; word < words_; ++word) bits_[component * words_ + word] |= from[word];
            };
            for (const std::uint32_t node : members[component]) {
                if (node < size) unite(&own[node * words_]);
                for (const std::uint32_t callee : calls[node])
                    if (components_.of[callee] != component) unite(&bits_[components_.of[callee] * words_]);
            }
        }
    }

    Module& module_;
    std::vector<Variable*> variables_;
    std::vector<std::uint32_t> number_of_module_;   ///< index in Module::variables -> in variables_
    std::vector<std::uint32_t> first_of_function_;  ///< function -> its first in variables_
    std::size_t words_ = 1;
    Components components_;
    std::vector<std::uint64_t> bits_;  ///< `words_` a component
};

}  // namespace

void lay_out_frame(Function& function) {
    function.parameter_bytes = lay_out(function.parameters, Space::param);
    function.result_bytes = lay_out(function.results, Space::param);
    function.local_bytes = lay_out(function.variables, Space::local);
    function.call_parameter_bytes = lay_out(function.variables, Space::param);
}

void lay_out_shared(Module& module) {
    const SharedNeeds needs(module);
    std::vector<std::uint32_t> entries;
    for (std::uint32_t f = 0; f < module.functions.size(); ++f)
        if (module.functions[f].entry) entries.push_back(f);

    for (std::size_t v = 0; v < needs.variables().size(); ++v) {
        Variable& variable = *needs.variables()[v];
        if (variable.dynamic()) continue;
        for (const std::uint32_t entry : entries)
            if (needs.needs(entry, v))
                variable.offset = std::max(variable.offset, module.functions[entry].shared_bytes);
        variable.offset = aligned(variable.offset, variable.align);
        for (const std::uint32_t entry : entries)
            if (needs.needs(entry, v)) module.functions[entry].shared_bytes = variable.offset + variable.bytes;
    }
    for (const std::uint32_t entry : entries) {
        std::uint64_t align = 1;
        for (std::size_t v = 0; v < needs.variables().size(); ++v)
            if (needs.variables()[v]->dynamic() && needs.needs(entry, v))
                align = std::max(align, needs.variables()[v]->align);
        module.functions[entry].dynamic_shared_offset = aligned(module.functions[entry].shared_bytes, align);
    }
}

}  // namespace lanescope::ptx
