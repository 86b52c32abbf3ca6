// Which kernels access textures or surfaces: their handles mean something only where a host program made them.
#pragma once

#include "ptx/module.h"

namespace lanescope::ptx {

/// The first instruction that accesses a texture or surface, in the kernel or in what it reaches by direct calls; null
/// where none does.
[[nodiscard]] const Instruction* first_texel_access(const Module& module, const Function& kernel);

}  // namespace lanescope::ptx
