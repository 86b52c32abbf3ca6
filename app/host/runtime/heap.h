// The program's heap: malloc, operator new and their like, with a margin on both sides of every block. Bytes of a
// margin that have changed show that host code has written outside of the block. A second free, and one of an address
// that no allocation returned, are found as well.
//
// Built with AddressSanitizer, a program has that one's heap, and nothing here is called.
#pragma once

#include "host/protocol.h"

#include <cstdint>

namespace lanescope::host {

struct HeapBlock {
    std::uint64_t address = 0, bytes = 0;
    std::uint32_t callers = 0;  ///< of the allocation: a number of heap.cpp's own; 0: not known
    std::uint8_t front = 0;     ///< 2 to this power are the bytes of the margin before it
    bool live = false;
    bool told = false;  ///< that its margin was overwritten
    [[nodiscard]] std::uint64_t begin() const { return address - (std::uint64_t{1} << front); }
};

/// The live block that holds the address; one of no bytes where none does, or where the address is not its first and
/// the table has more slots.
[[nodiscard]] HeapBlock heap_block_around(std::uint64_t address, std::size_t most_slots = SIZE_MAX);
/// Whether a live block lies in part between the addresses.
[[nodiscard]] bool is_heap_between(std::uint64_t begin, std::uint64_t end);

/// Reports blocks whose margins were overwritten, each once: of all blocks, and at a call, where the program may have
/// millions of them, of some, going on where the last check ended.
void check_heap(HeapNotice notice);

}  // namespace lanescope::host
