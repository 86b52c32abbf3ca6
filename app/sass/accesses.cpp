#include "sass/accesses.h"

#include "base/grouped.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

namespace lanescope::sass {

namespace {

struct SassAccess {
    std::string_view opcode;  ///< "LDS.128"
    std::uint32_t address = 0;
    unsigned bytes = 4;
    bool atomic = false, predicated = false;
};

/// CUDA Binary Utilities, "Instruction Set Reference".
constexpr std::array<std::string_view, 8> loads_and_stores{"LD", "LDG", "LDS", "LDL", "ST", "STG", "STS", "STL"};
constexpr std::array<std::string_view, 6> atomics{"ATOM", "ATOMG", "ATOMS", "RED", "REDG", "REDS"};

unsigned bytes_of(std::string_view opcode) {
    for (const auto& [suffix, bytes] :
         {std::pair{".128", 16U}, {".64", 8U}, {".U16", 2U}, {".S16", 2U}, {".U8", 1U}, {".S8", 1U}}) {
        const std::size_t at = opcode.find(suffix);
        const std::size_t end = at + std::string_view(suffix).size();
        if (at != std::string_view::npos && (end == opcode.size() || opcode[end] == '.')) return bytes;
    }
    return 4;
}

/// Nothing where it accesses no memory, or where its guard is never true ("@!PT").
std::optional<SassAccess> access_of(const Instruction& instruction) {
    std::string_view text = instruction.text;
    SassAccess access{.address = instruction.address};
    if (text.starts_with('@')) {
        const std::size_t end = text.find(' ');
        if (end == std::string_view::npos || text.substr(0, end) == "@!PT") return std::nullopt;
        access.predicated = true;
        text.remove_prefix(end + 1);
    }
    access.opcode = text.substr(0, text.find(' '));
    const std::string_view stem = access.opcode.substr(0, access.opcode.find('.'));
    access.atomic = std::ranges::find(atomics, stem) != atomics.end();
    if (!access.atomic && std::ranges::find(loads_and_stores, stem) == loads_and_stores.end()) return std::nullopt;
    access.bytes = bytes_of(access.opcode);
    return access;
}

bool accesses_memory(const ptx::Instruction& instruction) {
    using enum ptx::Space;
    const ptx::Space space = instruction.modifiers.space;
    if (instruction.action() == ptx::Action::atomic) return true;
    if (instruction.action() != ptx::Action::load && instruction.action() != ptx::Action::store) return false;
    return space == shared || space == global || space == local || space == generic;
}

}  // namespace

std::vector<ChangedAccess> changed_accesses(const Listing& listing, const ptx::Module& module) {
    std::multimap<PtxLine, SassAccess> made;
    for (const Function& function : listing.functions)
        for (const Instruction& instruction : function.instructions)
            if (const auto access = access_of(instruction)) made.emplace(instruction.line, *access);
    std::vector<ChangedAccess> changed;
    for (const ptx::Function& function : module.functions) {
        if (listing.function(function.name) == nullptr) continue;
        for (const ptx::Instruction& instruction : function.instructions) {
            if (!accesses_memory(instruction)) continue;
            const auto [first, end] = made.equal_range(instruction.line);
            if (first == end) {
                changed.push_back({instruction.line,
                                   "the line table names no access: merged, removed, or attributed to another line"});
                continue;
            }
            if (instruction.action() == ptx::Action::atomic) continue;
            const unsigned bytes = ptx::bytes_of(instruction.modifiers.type) * instruction.modifiers.vector;
            for (auto each = first; each != end; ++each) {
                const SassAccess& access = each->second;
                if (access.atomic || access.bytes == bytes) continue;
                changed.push_back(
                    {instruction.line, fmt::format("{} at {:04x} accesses {}, the PTX {}", access.opcode,
                                                   access.address, counted(access.bytes, "byte"), bytes)});
            }
            const SassAccess& only = first->second;
            if (std::next(first) == end && only.predicated && !instruction.guard)
                changed.push_back({instruction.line, fmt::format("{} at {:04x} is predicated, the PTX branches",
                                                                 only.opcode, only.address)});
        }
    }
    std::ranges::stable_sort(changed, {}, &ChangedAccess::line);
    return changed;
}

}  // namespace lanescope::sass
