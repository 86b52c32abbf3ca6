// The functions that a kernel's run can execute: the kernel, and all that it reaches by direct calls.
#pragma once

#include "ptx/module.h"

#include <functional>
#include <vector>

namespace lanescope::ptx {

/// The kernel first, each function once.
[[nodiscard]] std::vector<const Function*> reached_from(const Module& module, const Function& kernel);

/// Whether one of these functions reads the special register, such as %tid.y. With `counts`, only instructions for
/// which it returns true are searched.
[[nodiscard]] bool reads(const Module& module, const Function& kernel, Special special,
                         const std::function<bool(const Instruction&)>& counts = {});

/// Whether one of these functions names that variable of the module.
[[nodiscard]] bool uses_variable(const Module& module, const Function& kernel, std::uint32_t variable);

/// The module's variables that an instruction names or that the initial value of a variable points to. A header of
/// CUDA's library may define a thousand that nothing uses.
[[nodiscard]] std::vector<Variable> variables_in_use(const Module& module);

/// The first instruction of these functions that accesses a texture or surface, whose handles only a host program can
/// make; null if there is none.
[[nodiscard]] const Instruction* first_texel_access(const Module& module, const Function& kernel);

}  // namespace lanescope::ptx
