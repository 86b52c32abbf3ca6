// Which array an address in a register is based on, found by following values from one register to the next.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

/// For each register the array, where it is the only one and its size is known; otherwise null. Values from memory are
/// not followed.
[[nodiscard]] std::vector<const ptx::Variable*> shared_arrays_in_registers(const ptx::Module& module,
                                                                           const ptx::Function& function);

/// For each register the source's array in local memory, as index in Module::arrays, where its address is the stack
/// pointer plus a constant, as the view as written computes it; otherwise Operand::no_variable.
[[nodiscard]] std::vector<std::uint32_t> local_arrays_in_registers(const ptx::Module& module,
                                                                   const ptx::Function& function);

}  // namespace lanescope::execute
