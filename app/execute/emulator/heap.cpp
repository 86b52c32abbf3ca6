#include "execute/emulator/heap.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace lanescope::execute {

namespace {

/// The allocation granularity, at least that of the device's own allocator.
std::uint64_t taken_by(std::uint64_t bytes) {
    constexpr std::uint64_t least = 16;
    return std::max(bytes, least);
}

}  // namespace

std::uint64_t Heap::allocate(std::uint64_t bytes, Caller caller) {
    if (bytes > capacity_ || taken_by(bytes) > left()) return 0;
    used_ += taken_by(bytes);
    // malloc(0) returns an address of its own, too.
    const std::uint64_t address = memory_.add(std::max<std::uint64_t>(bytes, 1)).base();
    pieces_.emplace(address,
                    Piece{.address = address, .bytes = bytes, .allocated = std::move(caller), .freed = std::nullopt});
    return address;
}

bool Heap::release(std::uint64_t address, Caller caller) {
    if (address == 0) return true;
    const auto found = pieces_.find(address);
    if (found == pieces_.end() || found->second.freed) return false;
    Piece& piece = found->second;
    used_ -= taken_by(piece.bytes);
    piece.freed = std::move(caller);
    Region* region = memory_.find(address);
    assert(region != nullptr);
    region->give_up();
    return true;
}

const Heap::Piece* Heap::piece_at(std::uint64_t address) const {
    const auto after = pieces_.upper_bound(address);
    if (after == pieces_.begin()) return nullptr;
    const Piece& before = std::prev(after)->second;
    return address - before.address < before.bytes ? &before : nullptr;
}

const Heap::Piece* Heap::piece_from(std::uint64_t address) const {
    const auto found = pieces_.find(address);
    return found == pieces_.end() ? nullptr : &found->second;
}

std::vector<Heap::Leak> Heap::leaks() const {
    std::vector<Leak> found;
    for (const auto& [address, piece] : pieces_) {
        if (piece.freed) continue;
        const auto of_line = [&](const Leak& leak) { return leak.first.line == piece.allocated.line; };
        auto at = std::ranges::find_if(found, of_line);
        if (at == found.end()) at = found.insert(found.end(), Leak{.first = piece.allocated});
        ++at->pieces;
        at->bytes += piece.bytes;
    }
    return found;
}

}  // namespace lanescope::execute
