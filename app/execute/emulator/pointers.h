// Which array an address in a register was made from, found by following values from one register to the next.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

/// By register: the array, where it is only one and its size is known; else null. What comes from memory is not
/// followed.
[[nodiscard]] std::vector<const ptx::Variable*> shared_arrays_in_registers(const ptx::Module& module,
                                                                           const ptx::Function& function);

/// By register: the array of the source in local memory, index in Module::arrays, where its address was made from the
/// stack pointer and a constant, as a view as written does for each use of an array; else Operand::no_variable.
[[nodiscard]] std::vector<std::uint32_t> local_arrays_in_registers(const ptx::Module& module,
                                                                   const ptx::Function& function);

}  // namespace lanescope::execute
