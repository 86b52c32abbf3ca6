#include "analysis/dataflow/instruction_table.h"

#include "ptx/access.h"

#include <algorithm>
#include <string>

namespace lanescope::analysis {
namespace {

using Kind = ptx::Operand::Kind;

Flow flow_of(const ptx::Instruction& instruction) {
    if (instruction.action() == ptx::Action::warp_reduce) return Flow::reduce;
    if (instruction.action() == ptx::Action::copy) return Flow::copy;
    switch (instruction.meaning().group) {
        case ptx::Group::select: return Flow::select;
        case ptx::Group::load: return Flow::load;
        case ptx::Group::store: return Flow::store;
        case ptx::Group::atomic: return Flow::atomic;
        case ptx::Group::shuffle: return Flow::shuffle;
        case ptx::Group::vote: return Flow::vote;
        case ptx::Group::barrier: return instruction.destination_count > 0 ? Flow::vote : Flow::control;
        case ptx::Group::branch:
        case ptx::Group::exit: return Flow::control;
        default: return instruction.destination_count > 0 ? Flow::compute : Flow::control;
    }
}

/// Is source operand number `position` (from 0) of such an instruction a data operand?
bool is_data(Flow flow, unsigned position) {
    switch (flow) {
        case Flow::select: return position < 2;
        // shfl.sync d|p, a, b, c, membermask (PTX ISA 9.7.9.6): only `a` travels.
        case Flow::shuffle:
        case Flow::reduce: return position == 0;
        case Flow::load:
        case Flow::copy: return false;
        default: return true;
    }
}

}  // namespace

std::uint32_t first_register_of(const ptx::Function& function, std::span<const trace::RegisterName> registers) {
    if (function.registers.empty()) return 0;
    const std::string first = function.name + ":" + function.registers.front().name;
    const auto found = std::ranges::find(registers, first, &trace::RegisterName::name);
    return found == registers.end() ? 0 : static_cast<std::uint32_t>(found - registers.begin());
}

InstructionTable::InstructionTable(const ptx::Module& module, std::span<const trace::RegisterName> registers) {
    std::size_t instructions = 0;
    for (const ptx::Function& function : module.functions) instructions += function.instructions.size();
    lines_.reserve(instructions);
    lay_out_parameters(module);
    for (const ptx::Function& function : module.functions) {
        const std::uint32_t first = first_register_of(function, registers);
        for (const ptx::Instruction& instruction : function.instructions) add(module, function, instruction, first);
    }
}

void InstructionTable::lay_out_parameters(const ptx::Module& module) {
    const auto reserve = [&](std::uint64_t bytes) {
        const std::uint32_t begin = parameter_bytes_;
        parameter_bytes_ += static_cast<std::uint32_t>((bytes + 15) / 16 * 16);
        return begin;
    };
    for (const ptx::Function& function : module.functions) {
        frames_.push_back({reserve(function.entry ? 0 : function.parameter_bytes), reserve(function.result_bytes)});
    }
    for (const ptx::Function& function : module.functions) {
        auto& stands_for = passes_.emplace_back(function.variables.size(), InstructionInfo::none);
        const auto connect = [&](const ptx::Operand& list, const std::vector<ptx::Variable>& declared,
                                 std::uint32_t begin) {
            if (list.kind != Kind::vector) return;
            for (std::uint32_t i = 0; i < list.elements && i < declared.size(); ++i) {
                const ptx::Operand& passed = function.vector_elements[list.first + i];
                if (passed.owner != ptx::Operand::Owner::function || passed.variable >= stands_for.size()) continue;
                stands_for[passed.variable] = begin + static_cast<std::uint32_t>(declared[i].offset);
            }
        };
        for (const ptx::Instruction& call : function.instructions) {
            if (call.action() != ptx::Action::call || call.operands[1].kind != Kind::function) continue;
            const std::uint32_t callee = call.operands[1].function;
            connect(call.operands[0], module.functions[callee].results, frames_[callee].results);
            connect(call.operands[2], module.functions[callee].parameters, frames_[callee].parameters);
        }
    }
}

std::uint32_t InstructionTable::passed_at(const ptx::Module& module, const ptx::Function& function,
                                          const ptx::Operand& memory) const {
    const auto number = static_cast<std::size_t>(&function - module.functions.data());
    std::uint32_t begin = InstructionInfo::none;
    switch (memory.owner) {
        case ptx::Operand::Owner::function:
            if (memory.variable < passes_[number].size()) begin = passes_[number][memory.variable];
            break;
        case ptx::Operand::Owner::parameter:
            if (!function.entry && memory.variable < function.parameters.size()) {
                begin = frames_[number].parameters +
                        static_cast<std::uint32_t>(function.parameters[memory.variable].offset);
            }
            break;
        case ptx::Operand::Owner::result:
            if (memory.variable < function.results.size()) {
                begin = frames_[number].results + static_cast<std::uint32_t>(function.results[memory.variable].offset);
            }
            break;
        default: break;
    }
    return begin == InstructionInfo::none ? begin : begin + static_cast<std::uint32_t>(memory.offset);
}

void InstructionTable::add(const ptx::Module& module, const ptx::Function& function,
                           const ptx::Instruction& instruction, std::uint32_t first_register) {
    const auto traced = [&](RegisterId reg) { return reg.valid() ? RegisterId(reg.value + first_register) : reg; };
    InstructionInfo line;
    line.function = &function;
    line.instruction = &instruction;
    line.flow = flow_of(instruction);
    line.operator_like = ptx::combines_values(instruction);
    if (line.flow == Flow::atomic) line.atomic = ptx::access_of_atomic(function, instruction);
    line.first_read = static_cast<std::uint32_t>(reads_.size());
    if (instruction.guard) line.guard = traced(instruction.guard->predicate);
    line.first_register = first_register;

    std::vector<RegisterId> data, steering;
    unsigned position = 0;
    for (unsigned i = instruction.destination_count; i < instruction.operand_count; ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        if (operand.kind == Kind::memory) {
            steering.push_back(traced(operand.reg));
            for (unsigned e = 0; e < operand.elements; ++e) {  // the coordinates of a texel
                const ptx::Operand& element = function.vector_elements[operand.first + e];
                steering.push_back(element.kind == Kind::reg ? traced(element.reg) : RegisterId{});
            }
            line.passed = passed_at(module, function, operand);
            continue;  // does not count: a store's and an atomic's data operands come after it
        }
        auto& reads = is_data(line.flow, position) ? data : steering;
        ++position;
        if (operand.kind == Kind::vector) {
            for (unsigned e = 0; e < operand.elements; ++e) {
                const ptx::Operand& element = function.vector_elements[operand.first + e];
                reads.push_back(element.kind == Kind::reg ? traced(element.reg) : RegisterId{});
            }
        } else {
            reads.push_back(operand.kind == Kind::reg ? traced(operand.reg) : RegisterId{});
        }
    }
    if (instruction.modifiers.carry_in) data.push_back(traced(function.carry));
    line.data_count = static_cast<std::uint8_t>(data.size());
    line.steering_count = static_cast<std::uint8_t>(steering.size());
    reads_.insert(reads_.end(), data.begin(), data.end());
    reads_.insert(reads_.end(), steering.begin(), steering.end());

    if (!instruction.line.valid()) return;
    if (by_line_.size() <= instruction.line.index()) by_line_.resize(instruction.line.index() + 1, 0);
    lines_.push_back(line);
    by_line_[instruction.line.index()] = static_cast<std::uint32_t>(lines_.size());
}

}  // namespace lanescope::analysis
