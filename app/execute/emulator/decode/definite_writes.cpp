// Registers that some path may read before it has written them, by data flow forward over the basic blocks.
#include "execute/emulator/decode/register_facts.h"

#include <algorithm>
#include <vector>

namespace lanescope::execute {

namespace {

using Set = std::vector<bool>;  // by register

/// Marks in `uninitialized` the registers that the block reads before they are in `written`, and adds the registers
/// that it writes to `written`.
void walk(const ptx::Function& function, const ptx::BasicBlock& block, Set& written, Set* uninitialized) {
    for (std::uint32_t at = block.first; at <= block.last; ++at) {
        const ptx::Instruction& instruction = function.instructions[at];
        if (uninitialized != nullptr) {
            const auto read = [&](RegisterId reg) {
                if (!written[reg.index()]) (*uninitialized)[reg.index()] = true;
            };
            const ptx::Uses uses = ptx::uses_of(function, instruction);
            std::ranges::for_each(uses.data, read);
            std::ranges::for_each(uses.address, read);
            if (instruction.guard) read(instruction.guard->predicate);
        }
        if (instruction.guard) continue;
        for (const RegisterId reg : ptx::definitions_of(function, instruction)) written[reg.index()] = true;
    }
}

}  // namespace

std::vector<bool> may_be_read_uninitialized(const ptx::Function& function) {
    const std::size_t registers = function.registers.size();
    Set uninitialized(registers, false);
    if (function.blocks.empty()) return uninitialized;

    // The registers written on every path to a block: at first all, then the intersection.
    std::vector<Set> before(function.blocks.size(), Set(registers, true));
    before[0].assign(registers, false);
    std::vector<std::uint32_t> changed{0};
    while (!changed.empty()) {
        const std::uint32_t index = changed.back();
        changed.pop_back();
        Set written = before[index];
        walk(function, function.blocks[index], written, nullptr);
        for (const std::uint32_t successor : function.blocks[index].successors) {
            bool shrank = false;
            for (std::size_t reg = 0; reg < registers; ++reg) {
                if (!before[successor][reg] || written[reg]) continue;
                before[successor][reg] = false;
                shrank = true;
            }
            if (shrank) changed.push_back(successor);
        }
    }
    for (std::size_t index = 0; index < function.blocks.size(); ++index) {
        Set written = before[index];
        walk(function, function.blocks[index], written, &uninitialized);
    }
    return uninitialized;
}

}  // namespace lanescope::execute
