// The program's heap: malloc, operator new and the like, with a margin on both sides of every block. A changed byte of
// a margin shows that host code has written outside of the block. Double frees and frees of an address that no
// allocation returned are found, too.
//
// A program built with AddressSanitizer uses its heap, and nothing here is called.
#pragma once

#include "host/protocol.h"

#include <cstdint>

namespace lanescope::host {

struct HeapBlock {
    std::uint64_t address = 0, bytes = 0;
    std::uint32_t callers = 0;  ///< of the allocation: a number of heap.cpp's own; 0: not known
    std::uint8_t front = 0;     ///< log2 of the bytes of the margin before it
    bool live = false;
    bool told = false;  ///< its overwritten margin was reported
    [[nodiscard]] std::uint64_t begin() const { return address - (std::uint64_t{1} << front); }
};

/// The live block that contains the address; an empty one if there is none. An address within a block is found only if
/// the table has at most `most_slots`: the search is linear.
[[nodiscard]] HeapBlock heap_block_around(std::uint64_t address, std::size_t most_slots = SIZE_MAX);
/// Whether a live block overlaps [begin, end).
[[nodiscard]] bool is_heap_between(std::uint64_t begin, std::uint64_t end);

/// Reports blocks whose margins were overwritten, each once. Checks all blocks; at_call, when there may be millions of
/// them, it checks some, from where the last check ended.
void check_heap(HeapNotice notice);

}  // namespace lanescope::host
