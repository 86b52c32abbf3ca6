#include "execute/emulator/loop_control.h"

#include "execute/emulator/decode/register_file.h"
#include "ptx/graph.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace lanescope::execute {

namespace {

/// The index of the kernel's instruction `micro` in Function::instructions.
std::size_t index_of(const ptx::Function& kernel, const Micro& micro) {
    return static_cast<std::size_t>(micro.instruction - kernel.instructions.data());
}

ptx::Graph graph_of(const ptx::Function& function) {
    ptx::Graph graph(function.blocks.size());
    for (std::size_t i = 0; i < graph.size(); ++i) graph[i] = function.blocks[i].successors;
    return graph;
}

/// For each block, whether a path leads back to it.
std::vector<bool> cycles_of(const ptx::Graph& graph, const ptx::Components& components) {
    std::vector<std::uint32_t> blocks_in(components.count);
    for (const std::uint32_t each : components.of) ++blocks_in[each];
    std::vector<bool> cycles(graph.size());
    for (std::size_t i = 0; i < graph.size(); ++i)
        cycles[i] = blocks_in[components.of[i]] > 1 || std::ranges::find(graph[i], i) != graph[i].end();
    return cycles;
}

/// The instructions of the kernel that can be executed more than once.
std::vector<const Micro*> looped_instructions(const Code& code) {
    const ptx::Function& kernel = *code.kernel;
    const ptx::Graph graph = graph_of(kernel);
    const std::vector<bool> cycles = cycles_of(graph, ptx::strongly_connected(graph));
    std::vector<bool> loops(kernel.instructions.size());
    for (std::size_t i = 0; i < graph.size(); ++i) {
        for (std::uint32_t at = kernel.blocks[i].first; cycles[i] && at <= kernel.blocks[i].last; ++at)
            loops[at] = true;
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

/// Whether a thread may end at the instruction, or it is not known where it leads. `ends`: the same of each function,
/// as far as known.
bool may_end(const Code& code, const Micro& micro, const std::vector<bool>& ends) {
    switch (micro.kind) {
        case Kind::exit:
        case Kind::trap: return true;
        case Kind::builtin: return code.builtins[micro.access].builtin == Builtin::fail_assertion;
        case Kind::call: {
            const Call& call = code.calls[micro.access];
            return !call.callee || ends[*call.callee];
        }
        default: return false;
    }
}

using Constants = std::vector<std::optional<std::int64_t>>;  // by register

/// The result of a comparison of unsigned numbers with 0 if it is the same for every number: `i >= 0`.
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

/// The value that the instruction always writes, if it is known: a copied number or predicate, or its opposite.
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

/// The instructions of each of Code::callees, by Pc.
std::vector<std::vector<Pc>> pcs_of_functions(const Code& code) {
    std::vector<std::pair<const ptx::Instruction*, std::size_t>> begins;  // of functions that have instructions
    for (std::size_t i = 0; i < code.callees.size(); ++i)
        if (const auto& own = code.callees[i].function->instructions; !own.empty()) begins.emplace_back(own.data(), i);
    std::ranges::sort(begins, std::less<>(), [](const auto& begin) { return begin.first; });
    std::vector<std::vector<Pc>> pcs(code.callees.size());
    for (std::size_t pc = 0; pc < code.micros.size(); ++pc) {
        const ptx::Instruction* const instruction = code.micros[pc].instruction;
        if (instruction == nullptr) continue;
        const auto after =
            std::ranges::upper_bound(begins, instruction, std::less<>(), [](const auto& begin) { return begin.first; });
        pcs[std::prev(after)->second].push_back(static_cast<Pc>(pc));
    }
    return pcs;
}

std::vector<std::uint32_t> blocks_of_instructions(const ptx::Function& function) {
    std::vector<std::uint32_t> block_of(function.instructions.size());
    for (std::uint32_t i = 0; i < function.blocks.size(); ++i) {
        for (std::uint32_t at = function.blocks[i].first; at <= function.blocks[i].last; ++at) block_of[at] = i;
    }
    return block_of;
}

/// For each function: whether a thread may exit in it, or in one that it calls.
std::vector<bool> functions_that_may_end(const Code& code, std::span<const std::vector<Pc>> pcs) {
    std::vector<bool> ends(code.callees.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t function = 0; function < pcs.size(); ++function) {
            if (ends[function]) continue;
            ends[function] =
                std::ranges::any_of(pcs[function], [&](Pc pc) { return may_end(code, code.micros[pc], ends); });
            changed = changed || ends[function];
        }
    }
    return ends;
}

/// Marks the functions that are called only from loops without an exit.
void mark_called(const Code& code, std::span<const std::vector<Pc>> pcs, LoopsWithoutExit& found) {
    for (bool changed = true; changed;) {
        changed = false;
        std::vector<std::uint32_t> loop_of(code.callees.size());
        std::vector<bool> called_elsewhere(code.callees.size());
        for (std::size_t pc = 0; pc < code.micros.size(); ++pc) {
            const Micro& micro = code.micros[pc];
            if (micro.instruction == nullptr || micro.kind != Kind::call) continue;
            const Call& call = code.calls[micro.access];
            if (!call.callee) return;  // any function may be called there
            if (found.of[pc] == 0) called_elsewhere[*call.callee] = true;
            loop_of[*call.callee] = found.of[pc];
        }
        for (std::size_t function = 1; function < pcs.size(); ++function) {
            if (called_elsewhere[function] || loop_of[function] == 0) continue;
            for (const Pc pc : pcs[function]) {
                if (found.of[pc] != 0) continue;
                found.of[pc] = loop_of[function];
                found.called[pc] = true;
                changed = true;
            }
        }
    }
}

}  // namespace

LoopsWithoutExit loops_without_exit(const Code& code) {
    LoopsWithoutExit found{.of = std::vector<std::uint32_t>(code.micros.size()),
                           .called = std::vector<bool>(code.micros.size())};
    const std::vector<std::vector<Pc>> pcs = pcs_of_functions(code);
    const std::vector<bool> ends = functions_that_may_end(code, pcs);
    std::uint32_t loops = 0;
    for (std::size_t number = 0; number < code.callees.size(); ++number) {
        const ptx::Function& function = *code.callees[number].function;
        const std::vector<std::uint32_t> block_of = blocks_of_instructions(function);
        const ptx::Graph paths = paths_of(function, block_of);
        const ptx::Components components = ptx::strongly_connected(paths);
        const auto component_of = [&](const Micro& micro) {
            return components.of[block_of[index_of(function, micro)]];
        };
        std::vector<bool> leaves(components.count);
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const std::uint32_t own = components.of[i];
            if (paths[i].empty() || std::ranges::any_of(paths[i], [&](auto to) { return components.of[to] != own; }))
                leaves[own] = true;
        }
        for (const Pc pc : pcs[number]) {
            const Micro& micro = code.micros[pc];
            if (micro.kind == Kind::return_from_call || may_end(code, micro, ends)) leaves[component_of(micro)] = true;
        }
        for (const Pc pc : pcs[number]) {
            const std::uint32_t component = component_of(code.micros[pc]);
            if (!leaves[component]) found.of[pc] = loops + component + 1;
        }
        loops += components.count;
    }
    mark_called(code, pcs, found);
    return found;
}

namespace {

/// A loop of a function that is within no other: whether it counts towards an exit.
class OuterLoop {
  public:
    OuterLoop(const ptx::Function& function, std::span<const std::uint32_t> component_of, std::uint32_t component)
        : function_(function) {
        for (std::uint32_t i = 0; i < function.blocks.size(); ++i) {
            if (component_of[i] != component) continue;
            const ptx::BasicBlock& block = function.blocks[i];
            for (std::uint32_t at = block.first; at <= block.last; ++at) {
                const ptx::Instruction& instruction = function.instructions[at];
                for (const RegisterId reg : ptx::definitions_of(function, instruction))
                    writers_[reg.value].push_back(&instruction);
            }
            const ptx::Instruction& last = function.instructions[block.last];
            const auto leaves = [&](std::uint32_t to) { return component_of[to] != component; };
            if (last.guard && std::ranges::any_of(block.successors, leaves)) exits_.push_back(last.guard->predicate);
        }
    }

    /// Whether an exit compares a register that each iteration steps, by adding or by scaling, with a value that stays.
    [[nodiscard]] bool counts() const {
        return std::ranges::any_of(exits_, [&](RegisterId predicate) { return is_count(predicate, most_depth); });
    }

  private:
    static constexpr unsigned most_depth = 8;  ///< copies and conditions that are followed

    [[nodiscard]] std::span<const ptx::Instruction* const> writers(RegisterId reg) const {
        const auto found = writers_.find(reg.value);
        return found == writers_.end() ? std::span<const ptx::Instruction* const>() : std::span(found->second);
    }

    /// A load from an unchanged address counts as unchanged: a bound in memory is seldom written.
    [[nodiscard]] bool is_unchanged(RegisterId reg, unsigned depth) const {
        if (writers(reg).empty()) return true;
        return depth > 0 && std::ranges::all_of(writers(reg), [&](const ptx::Instruction* writer) {
                   const ptx::Uses uses = ptx::uses_of(function_, *writer);
                   const auto stays = [&](RegisterId used) { return is_unchanged(used, depth - 1); };
                   const bool special = std::ranges::any_of(writer->operands, [](const ptx::Operand& operand) {
                       return operand.kind == ptx::Operand::Kind::special;
                   });
                   return !special && writer->opcode != ptx::Opcode::atom && std::ranges::all_of(uses.data, stays) &&
                          std::ranges::all_of(uses.address, stays);
               });
    }

    [[nodiscard]] bool is_count(RegisterId predicate, unsigned depth) const {
        return depth > 0 && std::ranges::any_of(writers(predicate), [&](const ptx::Instruction* writer) {
                   const ptx::Uses uses = ptx::uses_of(function_, *writer);
                   if (writer->opcode != ptx::Opcode::setp || compares_flag(*writer))
                       return combines(writer->opcode) && std::ranges::any_of(uses.data, [&](RegisterId used) {
                                  return is_count(used, depth - 1);
                              });
                   return std::ranges::any_of(uses.data, [&](RegisterId counter) {
                       const auto stays = [&](RegisterId used) {
                           return used == counter || is_unchanged(used, most_depth);
                       };
                       return std::ranges::all_of(uses.data, stays) && steps(counter, counter, Step::none, most_depth);
                   });
               });
    }

    /// A condition that was kept as a number: `setp.ne.b16 %p1, %rs1, 0`.
    [[nodiscard]] bool compares_flag(const ptx::Instruction& setp) const {
        const std::vector<RegisterId> used = ptx::uses_of(function_, setp).data;
        return used.size() == 1 && std::ranges::any_of(writers(used.front()), [](const ptx::Instruction* writer) {
                   return writer->opcode == ptx::Opcode::selp;
               });
    }

    [[nodiscard]] static bool combines(ptx::Opcode opcode) {
        using enum ptx::Opcode;
        return opcode == setp || opcode == selp || opcode == and_ || opcode == or_ || opcode == xor_ ||
               opcode == not_ || opcode == mov || opcode == cvt;
    }

    enum class Step : std::uint8_t { none, adds, scales };
    [[nodiscard]] static std::optional<Step> step_of(ptx::Opcode opcode) {
        switch (opcode) {
            case ptx::Opcode::mov:
            case ptx::Opcode::cvt: return Step::none;
            case ptx::Opcode::add:
            case ptx::Opcode::sub: return Step::adds;
            case ptx::Opcode::mul:
            case ptx::Opcode::div:
            case ptx::Opcode::shl:
            case ptx::Opcode::shr: return Step::scales;
            default: return std::nullopt;
        }
    }

    /// Whether `reg` is made of the `counter` of the previous iteration, by steps of one kind.
    [[nodiscard]] bool steps(RegisterId reg, RegisterId counter, Step made, unsigned depth) const {
        const auto all = writers(reg);
        return depth > 0 && !all.empty() && std::ranges::all_of(all, [&](const ptx::Instruction* writer) {
                   const std::optional<Step> step = step_of(writer->opcode);
                   if (!step || (made != Step::none && *step != Step::none && *step != made)) return false;
                   const Step now = *step == Step::none ? made : *step;
                   const std::vector<RegisterId> data = ptx::uses_of(function_, *writer).data;
                   return std::ranges::any_of(data, [&](RegisterId used) {
                       const auto stays = [&](RegisterId other) {
                           return other == used || is_unchanged(other, most_depth);
                       };
                       if (!std::ranges::all_of(data, stays)) return false;
                       return (used == counter && now != Step::none) || steps(used, counter, now, depth - 1);
                   });
               });
    }

    const ptx::Function& function_;
    std::unordered_map<std::uint32_t, std::vector<const ptx::Instruction*>> writers_;  ///< by register
    std::vector<RegisterId> exits_;  ///< predicates of the branches that leave the loop
};

}  // namespace

std::vector<bool> loops_without_count(const Code& code) {
    std::vector<bool> found(code.micros.size());
    std::vector<bool> whole(code.callees.size());  // functions that are called from such loops
    const std::vector<std::vector<Pc>> pcs = pcs_of_functions(code);
    for (std::size_t number = 0; number < code.callees.size(); ++number) {
        const ptx::Function& function = *code.callees[number].function;
        const std::vector<std::uint32_t> block_of = blocks_of_instructions(function);
        const ptx::Graph paths = graph_of(function);
        const ptx::Components components = ptx::strongly_connected(paths);
        const std::vector<bool> cycles = cycles_of(paths, components);
        std::vector<std::optional<bool>> counts(components.count);
        for (const Pc pc : pcs[number]) {
            const Micro& micro = code.micros[pc];
            const std::uint32_t block = block_of[index_of(function, micro)], component = components.of[block];
            if (!cycles[block]) continue;
            if (!counts[component]) counts[component] = OuterLoop(function, components.of, component).counts();
            found[pc] = !*counts[component];
            if (!found[pc] || micro.kind != Kind::call) continue;
            if (const auto callee = code.calls[micro.access].callee) whole[*callee] = true;
        }
    }
    for (std::size_t number = 0; number < pcs.size(); ++number)
        for (const Pc pc : pcs[number])
            if (whole[number]) found[pc] = true;
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
