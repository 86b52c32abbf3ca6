// The addresses of a program's buffers before they are placed; pointers in structures or in memory need them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::execute {

/// Unmapped bytes between two pieces of global memory: an access that far past the end of one reaches no other.
inline constexpr std::uint64_t usual_gap = std::uint64_t{1} << 20;
/// A gap so wide that no 32-bit index into one piece, of elements of up to 16 bytes, reaches its middle.
inline constexpr std::uint64_t gap_beyond_indices = std::uint64_t{1} << 37;

/// The range of accesses that miss a piece of global memory: bytes from its start, [first, past_last).
struct Overreach {
    std::int64_t first = 0;
    std::int64_t past_last = 0;
};

/// The start of the next piece of global memory after one that ends at `end`; 0 for the first piece.
[[nodiscard]] std::uint64_t next_global_address(std::uint64_t end, std::uint64_t gap = usual_gap);

/// Memory of the host that no kernel can reach.
struct HostRange {
    std::uint64_t begin = 0, end = 0;
    const char* what = "";  ///< "the heap", "the stack"; empty: not known
};
/// Device memory that the host freed before any launch accessed it: it is not a buffer of the trace.
struct FreedRange {
    std::uint64_t begin = 0, end = 0;
    std::string name;  ///< of the variable; empty: not known
};
/// Memory that a kernel may have a pointer to, but cannot access.
struct OutOfReach {
    std::vector<HostRange> host;  ///< the known ranges, ascending
    std::vector<FreedRange> freed;
};

}  // namespace lanescope::execute
