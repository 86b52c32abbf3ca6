#include "sass/accesses.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace lanescope::sass {

namespace {

/// CUDA Binary Utilities, "Instruction Set Reference".
constexpr std::array<std::string_view, 8> loads_and_stores{"LD", "LDG", "LDS", "LDL", "ST", "STG", "STS", "STL"};
constexpr std::array<std::string_view, 6> atomics{"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDS"};
constexpr std::array<std::string_view, 3> generics{"LD", "ST", "ATOM"};

unsigned bytes_of(std::string_view opcode) {
    for (const auto& [suffix, bytes] :
         {std::pair{".128", 16U}, {".64", 8U}, {".U16", 2U}, {".S16", 2U}, {".U8", 1U}, {".S8", 1U}}) {
        const std::size_t at = opcode.find(suffix);
        const std::size_t end = at + std::string_view(suffix).size();
        if (at != std::string_view::npos && (end == opcode.size() || opcode[end] == '.')) return bytes;
    }
    return 4;
}

/// Nothing if it accesses no memory, or if its guard is never true ("@!PT").
std::optional<Access> access_of(const Function& function, const Instruction& instruction) {
    std::string_view text = instruction.text;
    Access access{.function = function.name, .opcode = {}, .address = instruction.address, .line = instruction.line};
    if (text.starts_with('@')) {
        const std::size_t end = text.find(' ');
        if (end == std::string_view::npos || text.substr(0, end) == "@!PT") return std::nullopt;
        access.predicated = true;
        text.remove_prefix(end + 1);
    }
    const std::string_view opcode = text.substr(0, text.find(' '));
    const std::string_view stem = opcode.substr(0, opcode.find('.'));
    access.atomic = std::ranges::find(atomics, stem) != atomics.end();
    if (!access.atomic && std::ranges::find(loads_and_stores, stem) == loads_and_stores.end()) return std::nullopt;
    access.opcode = opcode;
    access.bytes = bytes_of(opcode);
    access.generic = std::ranges::find(generics, stem) != generics.end();
    access.strong = opcode.find(".STRONG") != std::string_view::npos;
    return access;
}

bool accesses_memory(const ptx::Instruction& instruction) {
    using enum ptx::Space;
    const ptx::Space space = instruction.modifiers.space;
    if (instruction.action() == ptx::Action::atomic) return true;
    if (instruction.action() != ptx::Action::load && instruction.action() != ptx::Action::store) return false;
    return space == shared || space == global || space == local || space == generic;
}

unsigned bytes_of(const ptx::Instruction& instruction) {
    return ptx::bytes_of(instruction.modifiers.type) * instruction.modifiers.vector;
}

/// Null if it has none, or if its address is a number.
const ptx::Operand* address_operand(const ptx::Instruction& instruction) {
    for (unsigned i = 0; i < instruction.operand_count; ++i) {
        const ptx::Operand& operand = instruction.operands[i];
        if (operand.kind != ptx::Operand::Kind::memory) continue;
        const bool known = operand.reg.valid() || operand.variable != ptx::Operand::no_variable;
        return known ? &operand : nullptr;
    }
    return nullptr;
}

bool has_one_definition(const ptx::Function& function, RegisterId reg) {
    std::size_t definitions = 0;
    const auto defines = [&](const ptx::Operand& operand) {
        if (operand.kind == ptx::Operand::Kind::reg) return operand.reg == reg || operand.paired == reg;
        for (unsigned e = 0; operand.kind == ptx::Operand::Kind::vector && e < operand.elements; ++e)
            if (function.vector_elements[operand.first + e].reg == reg) return true;
        return false;
    };
    for (const ptx::Instruction& instruction : function.instructions)
        for (unsigned i = 0; i < instruction.destination_count; ++i)
            if (defines(instruction.operands[i])) ++definitions;
    return definitions == 1;
}

/// Whether a SASS access of so many bytes, made for `made`, reads or writes all that `removed` does.
bool covers(const ptx::Function& function, const ptx::Instruction& made, unsigned bytes,
            const ptx::Instruction& removed) {
    if (made.action() != removed.action() || made.modifiers.space != removed.modifiers.space) return false;
    const ptx::Operand* const one = address_operand(made);
    const ptx::Operand* const other = address_operand(removed);
    if (one == nullptr || other == nullptr || one->reg != other->reg || one->variable != other->variable ||
        one->owner != other->owner)
        return false;
    if (one->reg.valid() && !has_one_definition(function, one->reg)) return false;
    const std::int64_t between = other->offset - one->offset;
    if (between == 0) return bytes_of(removed) <= bytes;
    // Which merged line ptxas names for a wide access is not specified: words before the named one may be in it.
    return std::abs(between) + bytes_of(removed) <= bytes && bytes > bytes_of(made);
}

/// "LDS at 0290, made for line 120, loads the same bytes", of the nearest line; empty: none is known to.
std::string server_of(const ptx::Function& function, const std::multimap<PtxLine, Access>& made,
                      const ptx::Instruction& removed) {
    std::string nearest;
    std::uint32_t least = ~0U;
    for (const ptx::Instruction& other : function.instructions) {
        const std::uint32_t one = other.line.value, its = removed.line.value;
        const std::uint32_t distance = one > its ? one - its : its - one;
        const auto [first, end] = made.equal_range(other.line);
        for (auto each = first; each != end && distance < least; ++each) {
            const Access& access = each->second;
            if (access.function != function.name || access.atomic || !covers(function, other, access.bytes, removed))
                continue;
            least = distance;
            nearest = fmt::format("{} at {:04x}, made for line {}, {} the same bytes", access.opcode, access.address,
                                  one, removed.action() == ptx::Action::load ? "loads" : "stores");
        }
    }
    return nearest;
}

/// The address of the branch's target; nothing if it is no branch to a label of the function.
std::optional<std::uint32_t> branch_target(const Function& function, const Instruction& branch) {
    const std::size_t at = branch.text.find("BRA ");
    const std::size_t label = at == std::string::npos ? at : branch.text.find(".L_", at);
    if (label == std::string::npos) return std::nullopt;
    const std::string name = branch.text.substr(label, branch.text.find_first_of("`) ", label) - label);
    for (const Instruction& instruction : function.instructions)
        if (std::ranges::find(instruction.labels, name) != instruction.labels.end()) return instruction.address;
    return std::nullopt;
}

std::optional<Loop> innermost_loop(const Function& function, std::uint32_t address) {
    std::optional<Loop> found;
    for (const Instruction& branch : function.instructions) {
        const auto target = branch_target(function, branch);
        if (!target || *target > address || branch.address < address) continue;
        if (!found || *target > found->first)
            found = Loop{.function = function.name, .first = *target, .last = branch.address};
        else if (*target == found->first)
            found->last = std::max(found->last, branch.address);
    }
    return found;
}

bool calls(const Instruction& instruction, const std::string& name) {
    return instruction.text.find("CALL.") != std::string::npos &&
           (instruction.text.ends_with(" " + name) || instruction.text.ends_with("`(" + name + ")"));
}

std::optional<Loop> loop_around_calls(const Listing& listing, const std::string& name, std::set<std::string>& seen) {
    if (!seen.insert(name).second) return std::nullopt;
    for (const Function& caller : listing.functions)
        for (const Instruction& instruction : caller.instructions)
            if (calls(instruction, name))
                if (auto loop = innermost_loop(caller, instruction.address)) return loop;
    for (const Function& caller : listing.functions)
        if (std::ranges::any_of(caller.instructions, [&](const Instruction& each) { return calls(each, name); }))
            if (auto loop = loop_around_calls(listing, caller.name, seen)) return loop;
    return std::nullopt;
}

}  // namespace

std::vector<Access> accesses(const Listing& listing) {
    std::vector<Access> all;
    for (const Function& function : listing.functions)
        for (const Instruction& instruction : function.instructions)
            if (auto access = access_of(function, instruction)) all.push_back(*std::move(access));
    return all;
}

std::optional<Loop> loop_around(const Listing& listing, const Access& access) {
    const Function* const function = listing.function(access.function);
    if (function == nullptr) return std::nullopt;
    if (auto loop = innermost_loop(*function, access.address)) return loop;
    std::set<std::string> seen;
    return loop_around_calls(listing, access.function, seen);
}

std::vector<ChangedAccess> changed_accesses(const Listing& listing, const ptx::Module& module) {
    using Kind = ChangedAccess::Kind;
    std::multimap<PtxLine, Access> made;
    for (Access& access : accesses(listing)) {
        const PtxLine line = access.line;
        made.emplace(line, std::move(access));
    }
    std::vector<ChangedAccess> changed;
    for (const ptx::Function& function : module.functions) {
        if (listing.function(function.name) == nullptr) continue;
        for (const ptx::Instruction& instruction : function.instructions) {
            if (!accesses_memory(instruction)) continue;
            const auto [first, end] = made.equal_range(instruction.line);
            if (first == end) {
                const std::string server = server_of(function, made, instruction);
                const std::string text = "the line table names no access: " +
                                         (server.empty() ? "merged, removed, or attributed to another line" : server);
                changed.push_back({instruction.line, text, Kind::removed});
                continue;
            }
            if (instruction.action() == ptx::Action::atomic) continue;
            const unsigned bytes = bytes_of(instruction);
            for (auto each = first; each != end; ++each) {
                const Access& access = each->second;
                if (access.atomic || access.bytes == bytes) continue;
                changed.push_back({instruction.line,
                                   fmt::format("{} at {:04x} accesses {}, the PTX {}", access.opcode, access.address,
                                               counted(access.bytes, "byte"), bytes),
                                   Kind::width});
            }
            const Access& only = first->second;
            if (std::next(first) == end && only.predicated && !instruction.guard)
                changed.push_back(
                    {instruction.line,
                     fmt::format("{} at {:04x} is predicated, the PTX branches", only.opcode, only.address),
                     Kind::predicated});
        }
    }
    std::ranges::stable_sort(changed, {}, &ChangedAccess::line);
    return changed;
}

}  // namespace lanescope::sass
