// The new value that an atomic stores, PTX ISA 9.7.13.5 and 9.7.13.6.
#pragma once

#include "ptx/module.h"

#include <cstdint>

namespace lanescope::execute {

/// The new value, in the low bytes of the type; `old`, `operand` and `compare` (of cas) are zero-extended.
[[nodiscard]] std::uint64_t atomic_result(ptx::Atomic operation, ptx::Type type, std::uint64_t old,
                                          std::uint64_t operand, std::uint64_t compare);

}  // namespace lanescope::execute
