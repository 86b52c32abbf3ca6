#include "ptx/texels.h"

#include "ptx/reached.h"

namespace lanescope::ptx {

const Instruction* first_texel_access(const Module& module, const Function& kernel) {
    for (const Function* function : reached_from(module, kernel)) {
        for (const Instruction& instruction : function->instructions)
            if (instruction.modifiers.dimensions > 0) return &instruction;
    }
    return nullptr;
}

}  // namespace lanescope::ptx
