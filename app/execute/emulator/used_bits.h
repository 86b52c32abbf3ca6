// Which bits of its registers a function uses, and which it only moves: from memory to memory, as structures are copied
// with their padding, or around a bit-field that it inserts.
#pragma once

#include "ptx/module.h"

#include <cstdint>
#include <vector>

namespace lanescope::execute {

/// For each register the bits that the function computes with, compares, passes as a number or uses in an address.
/// Storing a loaded value unchanged, or passing it as part of a structure, does not use it; nor do masks and insertions
/// use the bits that they drop.
[[nodiscard]] std::vector<std::uint64_t> used_bits(const ptx::Module& module, const ptx::Function& function);

}  // namespace lanescope::execute
