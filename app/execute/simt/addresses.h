// The addresses of a program's buffers before they are placed: pointers in structures or in memory need them.
#pragma once

#include <cstdint>

namespace lanescope::execute {

/// The begin of the next piece of global memory after one that ends at `end`; for the first, 0.
[[nodiscard]] std::uint64_t next_global_address(std::uint64_t end);

}  // namespace lanescope::execute
