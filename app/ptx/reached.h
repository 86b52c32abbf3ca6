// The functions that a kernel's run can execute: the kernel, and all that it reaches by direct calls.
#pragma once

#include "ptx/module.h"

#include <functional>
#include <vector>

namespace lanescope::ptx {

/// The kernel first, each function once.
[[nodiscard]] std::vector<const Function*> reached_from(const Module& module, const Function& kernel);

/// Does one of them read the special register, %tid.y say? With `counts`, in an instruction that it is true of.
[[nodiscard]] bool reads(const Module& module, const Function& kernel, Special special,
                         const std::function<bool(const Instruction&)>& counts = {});

/// Does one of them name that variable of the module?
[[nodiscard]] bool uses_variable(const Module& module, const Function& kernel, std::uint32_t variable);

/// Those of the module's variables that an instruction names, or that the initial value of a variable points to; a
/// header of CUDA's library defines a thousand that nothing uses.
[[nodiscard]] std::vector<Variable> variables_in_use(const Module& module);

/// The first of their instructions that accesses a texture or surface, whose handles only a host program can make; null
/// where none does.
[[nodiscard]] const Instruction* first_texel_access(const Module& module, const Function& kernel);

}  // namespace lanescope::ptx
