#include "execute/emulator/loop_control.h"

#include "execute/emulator/decode/register_file.h"
#include "ptx/graph.h"

#include <algorithm>
#include <optional>

namespace lanescope::execute {

namespace {

/// In Function::instructions of the kernel; the micro is one of it.
std::size_t index_of(const ptx::Function& kernel, const Micro& micro) {
    return static_cast<std::size_t>(micro.instruction - kernel.instructions.data());
}

/// The instructions of the kernel that can be executed more than once.
std::vector<const Micro*> looped_instructions(const Code& code) {
    const ptx::Function& kernel = *code.kernel;
    ptx::Graph graph(kernel.blocks.size());
    for (std::size_t i = 0; i < graph.size(); ++i) graph[i] = kernel.blocks[i].successors;
    const ptx::Components components = ptx::strongly_connected(graph);
    std::vector<std::uint32_t> blocks_in(components.count);
    for (const std::uint32_t each : components.of) ++blocks_in[each];
    std::vector<bool> loops(kernel.instructions.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        const bool cycle = blocks_in[components.of[i]] > 1 || std::ranges::find(graph[i], i) != graph[i].end();
        for (std::uint32_t at = kernel.blocks[i].first; cycle && at <= kernel.blocks[i].last; ++at) loops[at] = true;
    }
    std::vector<const Micro*> found;
    for (const Micro& micro : code.micros) {
        if (micro.instruction != nullptr && loops[index_of(kernel, micro)]) found.push_back(&micro);
    }
    return found;
}

/// Whether a result follows from the registers that the instruction reads and the lanes that execute it.
bool follows_from_registers(const Code& code, const Micro& micro) {
    switch (micro.kind) {
        case Kind::compute:
        case Kind::shuffle:
        case Kind::vote:
        case Kind::match:
        case Kind::active_mask:
        case Kind::reduce: return true;
        case Kind::load: {
            const MemoryAccess& access = code.accesses[micro.access];
            return (access.space == ptx::Space::param && !access.call_parameter) ||
                   access.space == ptx::Space::constant;
        }
        default: return false;
    }
}

/// Whether a thread may end there, or nothing is known of where it leads.
bool may_end(const Micro& micro) {
    switch (micro.kind) {
        case Kind::exit:
        case Kind::trap:
        case Kind::call:
        case Kind::return_from_call:
        case Kind::builtin: return true;
        default: return false;
    }
}

using Constants = std::vector<std::optional<std::int64_t>>;  // by register

/// A comparison of unsigned numbers with 0 that each number answers alike: `i >= 0`.
std::optional<std::int64_t> answer_of_all(const ptx::Instruction& setp) {
    const ptx::Modifiers& modifiers = setp.modifiers;
    if (ptx::is_signed(modifiers.type) || ptx::is_float(modifiers.type) || modifiers.combine != ptx::Combine::none ||
        setp.operands[0].paired.valid())
        return std::nullopt;
    const auto is_zero = [](const ptx::Operand& operand) {
        return operand.kind == ptx::Operand::Kind::immediate && operand.immediate == 0;
    };
    using ptx::Compare;
    const Compare compare = modifiers.compare;
    if (is_zero(setp.operands[2]) && (compare == Compare::ge || compare == Compare::hs)) return 1;
    if (is_zero(setp.operands[2]) && (compare == Compare::lt || compare == Compare::lo)) return 0;
    if (is_zero(setp.operands[1]) && (compare == Compare::le || compare == Compare::ls)) return 1;
    if (is_zero(setp.operands[1]) && (compare == Compare::gt || compare == Compare::hi)) return 0;
    return std::nullopt;
}

/// The value that the instruction always writes, where that is known: a copied number or predicate, or its opposite.
std::optional<std::int64_t> constant_of(const ptx::Instruction& instruction, const Constants& values) {
    if (instruction.guard) return std::nullopt;
    const auto value_of = [&](const ptx::Operand& operand) -> std::optional<std::int64_t> {
        if (operand.kind == ptx::Operand::Kind::immediate) return operand.immediate;
        if (operand.kind != ptx::Operand::Kind::reg || operand.negated) return std::nullopt;
        return values[operand.reg.index()];
    };
    switch (instruction.opcode) {
        case ptx::Opcode::mov: return value_of(instruction.operands[1]);
        case ptx::Opcode::setp: return answer_of_all(instruction);
        case ptx::Opcode::not_: {
            const auto value = value_of(instruction.operands[1]);
            if (!value || instruction.modifiers.type != ptx::Type::pred) return std::nullopt;
            return *value == 0 ? 1 : 0;
        }
        default: return std::nullopt;
    }
}

/// The number that a register's only definition writes, as `while (true)` has one for its condition. A definition after
/// its use in the text is not followed.
Constants constants_of(const ptx::Function& kernel) {
    std::vector<std::uint32_t> definitions(kernel.registers.size());
    for (const ptx::Instruction& instruction : kernel.instructions)
        for (const RegisterId reg : ptx::definitions_of(kernel, instruction)) ++definitions[reg.index()];
    Constants values(kernel.registers.size());
    for (const ptx::Instruction& instruction : kernel.instructions) {
        for (const RegisterId reg : ptx::definitions_of(kernel, instruction)) {
            if (definitions[reg.index()] == 1) values[reg.index()] = constant_of(instruction, values);
        }
    }
    return values;
}

/// The blocks that may come after each, without the sides of branches that a constant decides against.
ptx::Graph paths_of(const ptx::Function& kernel, const std::vector<std::uint32_t>& block_of) {
    const Constants constants = constants_of(kernel);
    ptx::Graph paths(kernel.blocks.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
        paths[i] = kernel.blocks[i].successors;
        const std::uint32_t last = kernel.blocks[i].last;
        const ptx::Instruction& branch = kernel.instructions[last];
        if (branch.opcode != ptx::Opcode::bra || !branch.guard || last + 1 >= kernel.instructions.size()) continue;
        const std::optional<std::int64_t> value = constants[branch.guard->predicate.index()];
        if (!value) continue;
        const bool taken = (*value != 0) != branch.guard->negated;
        paths[i] = {block_of[taken ? branch.operands[0].target : last + 1]};
    }
    return paths;
}

}  // namespace

std::vector<std::uint32_t> loops_without_exit(const Code& code) {
    std::vector<std::uint32_t> found(code.micros.size());
    if (code.callees.size() > 1) return found;
    const ptx::Function& kernel = *code.kernel;
    std::vector<std::uint32_t> block_of(kernel.instructions.size());
    for (std::uint32_t i = 0; i < kernel.blocks.size(); ++i) {
        for (std::uint32_t at = kernel.blocks[i].first; at <= kernel.blocks[i].last; ++at) block_of[at] = i;
    }
    const ptx::Graph paths = paths_of(kernel, block_of);
    const ptx::Components components = ptx::strongly_connected(paths);
    const auto component_of = [&](const Micro& micro) { return components.of[block_of[index_of(kernel, micro)]]; };
    std::vector<bool> leaves(components.count);
    for (std::size_t i = 0; i < paths.size(); ++i) {
        const std::uint32_t own = components.of[i];
        if (paths[i].empty() || std::ranges::any_of(paths[i], [&](auto to) { return components.of[to] != own; }))
            leaves[own] = true;
    }
    for (const Micro& micro : code.micros)
        if (micro.instruction != nullptr && may_end(micro)) leaves[component_of(micro)] = true;
    for (std::size_t pc = 0; pc < found.size(); ++pc) {
        const Micro& micro = code.micros[pc];
        if (micro.instruction != nullptr && !leaves[component_of(micro)]) found[pc] = component_of(micro) + 1;
    }
    return found;
}

LoopControl loop_control_of(const Code& code) {
    if (code.callees.size() > 1) return {};  // a function called may loop as well
    const ptx::Function& kernel = *code.kernel;
    const std::vector<const Micro*> looped = looped_instructions(code);
    std::vector<bool> decides(kernel.registers.size());
    std::vector<RegisterId> wanted;
    const auto want = [&](RegisterId reg) {
        if (!reg.valid() || decides[reg.index()]) return;
        decides[reg.index()] = true;
        wanted.push_back(reg);
    };
    const auto want_guard = [&](const Micro& micro) {
        if (micro.instruction->guard) want(micro.instruction->guard->predicate);
    };
    const auto want_sources = [&](const Micro& micro) {
        const ptx::Uses uses = ptx::uses_of(kernel, *micro.instruction);
        // An access can end the kernel by its address, and no value that it moves can.
        for (const RegisterId reg : uses.address) want(reg);
        if (!moves_memory(micro.kind))
            for (const RegisterId reg : uses.data) want(reg);
        want_guard(micro);
    };
    for (const Micro* const micro : looped) {
        if (micro->kind == Kind::builtin || micro->kind == Kind::call) return {};
        if (micro->kind != Kind::compute) want_sources(*micro);
    }
    std::vector<std::vector<const Micro*>> writers(kernel.registers.size());
    for (const Micro* const micro : looped) {
        for (const RegisterId reg : ptx::definitions_of(kernel, *micro->instruction))
            writers[reg.index()].push_back(micro);
    }
    LoopControl found{.by_registers = true, .rows = {}};
    for (std::size_t next = 0; next < wanted.size(); ++next) {
        for (const Micro* const micro : writers[wanted[next].index()]) {
            const auto destinations = code.destinations_of(*micro);
            const auto place = std::ranges::find(destinations, wanted[next], &Destination::reg);
            if (place == destinations.end() || !follows_from_registers(code, *micro)) return {};
            want_sources(*micro);
            if (micro == writers[wanted[next].index()].front())
                found.rows.push_back({.slot = place->slot, .bytes = bytes_of_row(place->row)});
        }
    }
    return found;
}

}  // namespace lanescope::execute
