#include "exercise.h"

#include <cstdio>
#include <cstdlib>

namespace lanescope::ptx {
namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "the module does not hold together: %s\n", what);
    std::abort();
}

void exercise(const Module& module, const Function& function, const Operand& operand) {
    if (operand.reg.valid()) require(operand.reg.index() < function.registers.size(), "a register");
    if (operand.paired.valid()) require(operand.paired.index() < function.registers.size(), "a paired register");
    if (operand.kind == Operand::Kind::function) require(operand.function < module.functions.size(), "a function");
    if (operand.kind == Operand::Kind::label) {
        require(operand.first < function.labels.size(), "a label");
        require(operand.target <= function.instructions.size(), "a label's target");
    }
    if (operand.kind == Operand::Kind::vector)
        for (std::uint32_t i = 0; i < operand.elements; ++i)
            exercise(module, function, function.vector_elements.at(operand.first + i));
    if (const Variable* variable = variable_of(module, function, operand))
        require(!variable->name.empty(), "a variable");
}

void exercise(const Module& module, const Function& function, std::uint32_t index) {
    const Instruction& instruction = function.instructions[index];
    require(function.instruction_at(instruction.line) == index, "an instruction has a line of its own");
    require(instruction.destination_count <= instruction.operand_count, "destinations are operands");
    for (std::size_t i = 0; i < instruction.operand_count; ++i) exercise(module, function, instruction.operands[i]);
    require(!print(module, function, instruction).empty(), "it prints");
    for (const RegisterId reg : uses_of(function, instruction).data)
        require(reg.index() < function.registers.size(), "a use");
    for (const RegisterId reg : definitions_of(function, instruction)) {
        require(reg.index() < function.registers.size(), "a definition");
        (void)variable_in(function, reg, instruction.line);
    }
    if (instruction.place != SourcePlace::none) require(instruction.place < module.places.size(), "a place");
    if (instruction.opcode == Opcode::bra) require(instruction.target <= function.instructions.size(), "a target");
    if (instruction.reconvergence != no_instruction)
        require(instruction.reconvergence < function.instructions.size(), "a reconvergence");
}

void exercise(const Module& module, const Function& function) {
    std::uint32_t next = 0;
    for (const BasicBlock& block : function.blocks) {
        require(block.first == next && block.last >= block.first, "blocks follow each other");
        next = block.last + 1;
        for (const std::uint32_t successor : block.successors)
            require(successor < function.blocks.size(), "a successor");
    }
    require(next == function.instructions.size(), "every instruction is in a block");
    for (std::uint32_t i = 0; i < function.instructions.size(); ++i) exercise(module, function, i);
    for (const SourceVariable& variable : function.source_variables)
        for (const VariableRange& range : variable.ranges)
            require(range.reg.index() < function.registers.size() && range.first < range.past_last, "a range");
    for (const Variable& variable : function.parameters)
        require(variable.offset + variable.bytes <= function.parameter_bytes, "a parameter's offset");
    for (const Variable& variable : function.variables)
        if (variable.space == Space::local)
            require(variable.offset + variable.bytes <= function.local_bytes, "a local offset");
}

}  // namespace

void exercise(const Module& module) {
    for (const Function& function : module.functions) exercise(module, function);
    for (const SourcePlace& place : module.places)
        require(place.inlined_at == SourcePlace::none || place.inlined_at < module.places.size(), "a call site");
    for (const Variable& variable : module.variables) {
        require(variable.dynamic() || variable.initial.size() <= variable.bytes, "initial values");
        for (const Relocation& relocation : variable.relocations)
            require(relocation.index < (relocation.of_function ? module.functions.size() : module.variables.size()),
                    "a relocation");
    }
    for (const SourceArray& array : module.arrays) {
        const bool everywhere = array.function == SourceArray::everywhere;
        require(everywhere || array.function < module.functions.size(), "an array's function");
        const auto& variables = everywhere ? module.variables : module.functions[array.function].variables;
        require(array.variable < variables.size(), "an array's variable");
    }
    for (std::uint32_t line = 0; line <= module.line_starts.size() + 1; ++line) (void)module.text_line(PtxLine(line));
}

}  // namespace lanescope::ptx
