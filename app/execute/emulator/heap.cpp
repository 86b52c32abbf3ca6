#include "execute/emulator/heap.h"

#include <algorithm>

namespace lanescope::execute {

std::uint64_t Heap::allocate(std::uint64_t bytes) {
    // A piece takes at least what the device's own allocator keeps it apart by.
    constexpr std::uint64_t least = 16;
    const std::uint64_t taken = std::max(bytes, least);
    if (bytes > capacity || taken > left()) return 0;
    used_ += taken;
    const std::uint64_t address = memory_.add(taken).base();
    pieces_.emplace(address, taken);
    return address;
}

bool Heap::release(std::uint64_t address) {
    if (address == 0) return true;
    const auto piece = pieces_.find(address);
    if (piece == pieces_.end()) return false;
    used_ -= piece->second;
    pieces_.erase(piece);
    return true;
}

}  // namespace lanescope::execute
