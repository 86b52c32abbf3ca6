// Where the buffers of a program lie, told without placing them: who writes pointers into structures or memory needs it.
#pragma once

#include <cstdint>

namespace lanescope::execute {

/// Where the next piece of global memory begins, behind one that ends at `end`; the first, behind none: 0.
[[nodiscard]] std::uint64_t next_global_address(std::uint64_t end);

}  // namespace lanescope::execute
