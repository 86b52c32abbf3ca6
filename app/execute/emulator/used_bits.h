// Which bits of its registers a function uses, and which it only moves: from memory to memory, as structures are copied
// with their padding, or around a bit-field that it inserts.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

/// By the register: the bits that the function computes with, compares, passes as a number or forms an address from.
/// What is stored as it was read, or passed as part of a structure, is not used by that; nor is what a mask or an
/// insertion drops.
[[nodiscard]] std::vector<std::uint64_t> used_bits(const ptx::Module& module, const ptx::Function& function);

}  // namespace lanescope::execute
