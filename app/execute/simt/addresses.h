// Where the buffers of a program lie, known before they are placed: pointers in structures or in memory need it.
#pragma once

#include <cstdint>

namespace lanescope::execute {

/// Where the next piece of global memory begins, after one that ends at `end`; for the first, 0.
[[nodiscard]] std::uint64_t next_global_address(std::uint64_t end);

}  // namespace lanescope::execute
