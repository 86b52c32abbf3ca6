// Addresses as values: cvta and isspacep, PTX ISA 9.7.9.19 and 9.7.9.20.
#include "execute/simt/lanes.h"
#include "execute/simt/memory.h"

namespace lanescope::execute {

namespace {

/// d = a + slots.constant: into a window or, with the negative, out of it.
template <class T>
LANESCOPE_FOR_EACH_PROCESSOR void move_window(std::byte* file, const Slots& slots, LaneMask lanes) {
    const SourceRow<T> source(file, slots.source[0], 0);
    alignas(64) T results[32];
    for (unsigned lane = 0; lane < 32; ++lane) results[lane] = static_cast<T>(source[lane] + slots.constant);
    write_cells(reinterpret_cast<T*>(file + slots.destination[0]), results, lanes);
}

template <ptx::Space space>
struct IsIn {
    static bool apply(std::uint64_t address) { return space_of(address) == space; }
};

/// Constant variables are placed among the buffers: no address is known to be in .const.
struct IsNowhere {
    static bool apply(std::uint64_t) { return false; }
};

Found isspacep(ptx::Space space) {
    switch (space) {
        case ptx::Space::shared: return operation<IsIn<ptx::Space::shared>, bool, std::uint64_t>();
        case ptx::Space::local: return operation<IsIn<ptx::Space::local>, bool, std::uint64_t>();
        case ptx::Space::param: return operation<IsIn<ptx::Space::param>, bool, std::uint64_t>();
        case ptx::Space::global: return operation<IsIn<ptx::Space::global>, bool, std::uint64_t>();
        default: return operation<IsNowhere, bool, std::uint64_t>();
    }
}

}  // namespace

Found address_operation(const ptx::Instruction& instruction) {
    const ptx::Modifiers& modifiers = instruction.modifiers;
    if (instruction.opcode == ptx::Opcode::isspacep) return isspacep(modifiers.space);
    if (instruction.opcode != ptx::Opcode::cvta) return std::nullopt;
    const std::uint64_t window = window_of(modifiers.space);
    const bool wide = ptx::bytes_of(modifiers.type) == 8;
    Operation found{.function = wide ? &move_window<std::uint64_t> : &move_window<std::uint32_t>};
    found.destination[0] = found.source[0] = wide ? Row::wide : Row::narrow;
    found.constant = modifiers.to ? std::uint64_t{0} - window : window;
    return found;
}

}  // namespace lanescope::execute
