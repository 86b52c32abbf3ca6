// How much memory this machine has, how much of it is taken, and the cap on what emulated memory may take.
#pragma once

#include <cstdint>
#include <string>

namespace lanescope {

/// Bytes that this process can have: the machine's, or what its container is limited to.
[[nodiscard]] std::uint64_t machine_memory();

/// The cap on the memory that this process takes for buffers, their contents before and after, and what is recorded of
/// them. An emulated device has as much memory as machine_memory(), for pages that nothing touches take none; when what
/// is touched has reached the cap, it has no more.
[[nodiscard]] inline std::uint64_t memory_cap() { return machine_memory() / 4 * 3; }

/// "emulated memory has reached its cap of 25,769,803,776 bytes, three quarters of this machine's".
[[nodiscard]] std::string memory_cap_reached(std::uint64_t cap = memory_cap());

/// Bytes of memory that this process takes now, files in memory that it maps among them.
[[nodiscard]] std::uint64_t memory_taken();
/// The most that it has taken so far.
[[nodiscard]] std::uint64_t peak_memory_taken();

}  // namespace lanescope
