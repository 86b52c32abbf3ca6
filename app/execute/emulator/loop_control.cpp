#include "execute/emulator/loop_control.h"

#include "execute/emulator/decode/register_file.h"
#include "ptx/graph.h"

#include <algorithm>

namespace lanescope::execute {

namespace {

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
        if (micro.instruction == nullptr) continue;
        const auto at = static_cast<std::size_t>(micro.instruction - kernel.instructions.data());
        if (loops[at]) found.push_back(&micro);
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

}  // namespace

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
