// How much memory this machine has, how much of it is taken, and the cap on what emulated memory may take.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope {

/// Bytes that this process can have: the machine's, or what its container is limited to.
[[nodiscard]] std::uint64_t machine_memory();

/// The cap on the memory that this process takes for buffers, their contents before and after a run, and recordings of
/// them. An emulated device has machine_memory() bytes, because untouched pages take none; once the touched pages reach
/// the cap, it has no more.
[[nodiscard]] inline std::uint64_t memory_cap() { return machine_memory() / 4 * 3; }

/// "emulated memory has reached its cap of 25,769,803,776 bytes, three quarters of this machine's memory".
[[nodiscard]] std::string memory_cap_reached(std::uint64_t cap = memory_cap());

/// Bytes of memory that this process takes now, mapped files in memory included.
[[nodiscard]] std::uint64_t memory_taken();
/// The most that it has taken so far.
[[nodiscard]] std::uint64_t peak_memory_taken();

}  // namespace lanescope
