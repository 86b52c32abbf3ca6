#include "ptx/texels.h"

#include <vector>

namespace lanescope::ptx {

const Instruction* first_texel_access(const Module& module, const Function& kernel) {
    std::vector<bool> seen(module.functions.size(), false);
    std::vector<const Function*> reached{&kernel};
    while (!reached.empty()) {
        const Function& function = *reached.back();
        reached.pop_back();
        for (const Instruction& instruction : function.instructions) {
            if (instruction.modifiers.dimensions > 0) return &instruction;
            if (instruction.action() != Action::call || instruction.operands[1].kind != Operand::Kind::function)
                continue;
            const std::uint32_t callee = instruction.operands[1].function;
            if (!seen[callee]) reached.push_back(&module.functions[callee]);
            seen[callee] = true;
        }
    }
    return nullptr;
}

}  // namespace lanescope::ptx
