#include "execute/emulator/uninitialized_copies.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace lanescope::execute {

void UninitializedCopies::clear() {
    if (none_) return;
    registers_.clear();
    shared_.clear();
    none_ = true;
}

const UninitializedCopies::Register* UninitializedCopies::find(WarpId warp, const Value& value) const {
    const auto found = registers_.find({warp.value, value.slot});
    return found == registers_.end() ? nullptr : &found->second;
}

void UninitializedCopies::forget(WarpId warp, const MemoryAccess& load, LaneMask lanes) {
    for (unsigned element = 0; element < load.elements; ++element) {
        const auto found = registers_.find({warp.value, load.values[element].slot});
        if (found == registers_.end()) continue;
        for (const unsigned lane : lanes) found->second.bytes[lane] = 0;
    }
}

void UninitializedCopies::keep(WarpId warp, unsigned lane, const MemoryAccess& load, const Origin& origin) {
    for (unsigned element = 0; element < load.elements; ++element) {
        const ByteMask bytes = (origin.uninitialized >> (element * load.bytes)) & all_bytes(load.bytes);
        if (bytes == 0 || (load.keeps_uninitialized & (1U << element)) == 0) continue;
        Register& reg = registers_[{warp.value, load.values[element].slot}];
        reg.bytes[lane] = static_cast<std::uint8_t>(bytes);
        reg.origin[lane] = origin;
        none_ = false;
    }
}

ByteMask UninitializedCopies::stored(WarpId warp, unsigned lane, const MemoryAccess& store) const {
    ByteMask stored = 0;
    for (unsigned element = 0; element < store.elements; ++element) {
        const Register* const reg = find(warp, store.values[element]);
        if (reg == nullptr) continue;
        stored |= (reg->bytes[lane] & all_bytes(store.bytes)) << (element * store.bytes);
    }
    return stored;
}

const UninitializedCopies::Origin& UninitializedCopies::origin(WarpId warp, unsigned lane,
                                                               const MemoryAccess& store) const {
    for (unsigned element = 0; element < store.elements; ++element) {
        const Register* const reg = find(warp, store.values[element]);
        if (reg != nullptr && reg->bytes[lane] != 0) return reg->origin[lane];
    }
    assert(false && "the store has a copy of uninitialized bytes");
    std::unreachable();
}

void UninitializedCopies::write_shared(std::uint64_t offset, unsigned bytes, ByteMask uninitialized) {
    // Nothing after the last copy is a copy.
    if (uninitialized != 0 && shared_.size() < offset + bytes) shared_.resize(offset + bytes);
    for (unsigned byte = 0; byte < bytes && offset + byte < shared_.size(); ++byte)
        shared_[offset + byte] = ((uninitialized >> byte) & 1U) != 0;
}

ByteMask UninitializedCopies::in_shared(std::uint64_t offset, unsigned bytes) const {
    ByteMask uninitialized = 0;
    for (unsigned byte = 0; byte < bytes && offset + byte < shared_.size(); ++byte) {
        if (shared_[offset + byte]) uninitialized |= ByteMask{1} << byte;
    }
    return uninitialized;
}

}  // namespace lanescope::execute
