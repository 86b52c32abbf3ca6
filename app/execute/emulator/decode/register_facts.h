// Facts about the registers of a function before it runs, from its instructions alone.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

// Each result is indexed by register.

/// Whether some path may read it before it has been written (definite_writes.cpp). PTX leaves its value undefined; here
/// it is 0, always, so that a run is the same on every host. All other registers need not be cleared when a block
/// starts. A guarded write does not count as a write.
[[nodiscard]] std::vector<bool> may_be_read_uninitialized(const ptx::Function& function);

/// Bits of each register that the function uses in arithmetic, comparisons, addresses or scalar arguments
/// (used_bits.cpp). Bits that are only copied (the padding of a structure, the bits around an inserted bit field) or
/// dropped by a mask do not count.
[[nodiscard]] std::vector<std::uint64_t> used_bits(const ptx::Module& module, const ptx::Function& function);

/// The shared array that an address in the register was made from, if it is the only one and its size is known; else
/// null (pointers.cpp). Values from memory are not followed.
[[nodiscard]] std::vector<const ptx::Variable*> shared_arrays_in_registers(const ptx::Module& module,
                                                                           const ptx::Function& function);

/// The source's array in local memory, as an index in Module::arrays, if the register's address was made from the stack
/// pointer and a constant, as in the as-written view for each use of an array; else Operand::no_variable
/// (pointers.cpp).
[[nodiscard]] std::vector<std::uint32_t> local_arrays_in_registers(const ptx::Module& module,
                                                                   const ptx::Function& function);

}  // namespace lanescope::execute
