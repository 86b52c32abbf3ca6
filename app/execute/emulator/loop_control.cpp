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

/// By register: the number that its only definition writes, as `while (true)` has one for its condition.
std::vector<std::optional<std::int64_t>> constants_of(const ptx::Function& kernel) {
    std::vector<std::optional<std::int64_t>> values(kernel.registers.size());
    std::vector<bool> defined(kernel.registers.size());
    for (const ptx::Instruction& instruction : kernel.instructions) {
        const bool moves = instruction.opcode == ptx::Opcode::mov && !instruction.guard &&
                           instruction.operands[1].kind == ptx::Operand::Kind::immediate;
        for (const RegisterId reg : ptx::definitions_of(kernel, instruction)) {
            const bool only = moves && !defined[reg.index()];
            values[reg.index()] = only ? std::optional(instruction.operands[1].immediate) : std::nullopt;
            defined[reg.index()] = true;
        }
    }
    return values;
}

/// The blocks that may come after each, without the sides of branches that a constant decides against.
ptx::Graph paths_of(const ptx::Function& kernel, const std::vector<std::uint32_t>& block_of) {
    const std::vector<std::optional<std::int64_t>> constants = constants_of(kernel);
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
