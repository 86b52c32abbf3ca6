#include "execute/emulator/uninitialized_check.h"

#include "execute/emulator/lane_values.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace lanescope::execute {

namespace {

/// The bytes from `first` on that have that value.
ByteMask bytes_that_are(std::uint8_t value, std::vector<std::uint8_t>::const_iterator first, unsigned bytes) {
    ByteMask found = 0;
    for (unsigned byte = 0; byte < bytes; ++byte) {
        if (first[byte] == value) found |= ByteMask{1} << byte;
    }
    return found;
}

template <class Visit>
void for_each_byte(ByteMask bytes, Visit visit) {
    for (; bytes != 0; bytes &= bytes - 1U) visit(static_cast<unsigned>(std::countr_zero(bytes)));
}

}  // namespace

void UninitializedCheck::local(const WarpAccess& access) const {
    Block& block = access.step.block;
    const unsigned bytes = bytes_of(access.access);
    // An access outside of the intended array is another finding.
    const trace::SharedArray* const meant =
        access.access.local_array != 0 ? &code_.local_arrays[access.access.local_array - 1] : nullptr;
    for (const unsigned lane : access.targets.lanes) {
        const auto first = block.local_written.begin() + static_cast<std::ptrdiff_t>(access.targets.offset[lane]);
        if (writes(access.step.micro)) {
            std::fill_n(first, bytes, std::uint8_t{1});
            for_each_byte(stored_copies(access, lane), [&](unsigned byte) { first[byte] = 0; });
            continue;
        }
        if (std::memchr(&*first, 0, bytes) == nullptr) continue;
        const ByteMask uninitialized = bytes_that_are(std::uint8_t{0}, first, bytes);
        const std::uint64_t own = access.targets.offset[lane] % code_.local_bytes;
        const bool is_used = uninitialized == all_bytes(bytes) && uses(access, own, uninitialized);
        if (!is_used || !code_.in_users_file(access.step.micro)) {
            keep_copy(access, lane, own, uninitialized);
        } else if (meant == nullptr || own - meant->offset < meant->bytes) {
            faults_.uninitialized_read(access.step, lane, ptx::Space::local, own, bytes,
                                       {.address = own, .bytes = bytes});
        }
    }
}

void UninitializedCheck::call_parameter(const WarpAccess& access) const {
    Block& block = access.step.block;
    const unsigned bytes = bytes_of(access.access);
    for (const unsigned lane : access.targets.lanes) {
        const auto first = block.local_written.begin() + static_cast<std::ptrdiff_t>(access.targets.offset[lane]);
        if (access.step.micro.kind == Kind::load) {
            const std::uint64_t own = access.targets.offset[lane] % code_.local_bytes;
            keep_copy(access, lane, own, bytes_that_are(Block::copied_uninitialized, first, bytes));
        } else {
            std::fill_n(first, bytes, std::uint8_t{1});
            for_each_byte(stored_copies(access, lane),
                          [&](unsigned byte) { first[byte] = Block::copied_uninitialized; });
        }
    }
}

void UninitializedCheck::global_store(const WarpAccess& access) const {
    const WarpStep& step = access.step;
    for (const unsigned lane : access.targets.lanes) {
        if (stored_copies(access, lane) == 0) continue;
        const std::uint64_t address = access.region.base() + access.targets.offset[lane];
        if (!faults_.is_of_numbers(ptx::Space::global, address, access.access.bytes)) continue;
        const UninitializedCopies::Origin& origin =
            step.block.uninitialized_copies.origin(step.warp.id, lane, access.access);
        report({step.block, step.warp, code_.micros[origin.pc], step.executed}, lane, origin);
    }
}

ByteMask UninitializedCheck::stored_copies(const WarpAccess& access, unsigned lane) {
    const UninitializedCopies& copies = access.step.block.uninitialized_copies;
    if (access.step.micro.kind != Kind::store || copies.none()) return 0;
    return copies.stored(access.step.warp.id, lane, access.access);
}

bool UninitializedCheck::uses(const WarpAccess& access, std::uint64_t address, ByteMask uninitialized) const {
    if (access.step.micro.kind != Kind::load || (access.access.used_bytes & uninitialized) != 0) return true;
    return access.space != ptx::Space::global && faults_.is_of_numbers(access.space, address, access.access.bytes);
}

void UninitializedCheck::keep_copy(const WarpAccess& access, unsigned lane, std::uint64_t address,
                                   ByteMask uninitialized) {
    const Warp& warp = access.step.warp;
    if (access.step.micro.kind != Kind::load || uninitialized == 0) return;
    access.step.block.uninitialized_copies.keep(
        warp.id, lane, access.access,
        {.pc = warp.control.pc(), .space = access.space, .address = address, .uninitialized = uninitialized});
}

void UninitializedCheck::report(const WarpStep& step, unsigned lane, const UninitializedCopies::Origin& read) const {
    const auto first = static_cast<unsigned>(std::countr_zero(read.uninitialized));
    const auto past_last = static_cast<unsigned>(std::bit_width(read.uninitialized));
    faults_.uninitialized_read(step, lane, read.space, read.address, bytes_of(code_.accesses[step.micro.access]),
                               {.address = read.address + first, .bytes = past_last - first});
}

bool UninitializedCheck::shared_or_heap(const WarpAccess& access, unsigned lane, Shadow& shadow) const {
    const Block& block = access.step.block;
    const unsigned bytes = bytes_of(access.access);
    const std::uint64_t offset = access.targets.offset[lane];
    const bool shared = access.space == ptx::Space::shared;
    ByteMask uninitialized = shared ? block.uninitialized_copies.in_shared(offset, bytes) : 0;
    shadow.for_each_cell(offset, bytes, [&](const Shadow::Cell& cell) {
        if (cell.write != 0) return;
        uninitialized |= all_bytes(cell.bytes) << static_cast<unsigned>(cell.offset - offset);
    });
    return uninitialized != 0 && found(access, lane, uninitialized);
}

bool UninitializedCheck::buffer(const WarpAccess& access, unsigned lane) const {
    const std::uint8_t* const marks = access.region.marks() + access.targets.offset[lane];
    ByteMask uninitialized = 0;
    for (unsigned byte = 0; byte < bytes_of(access.access); ++byte) {
        if (marks[byte] == 0) uninitialized |= ByteMask{1} << byte;
    }
    return uninitialized != 0 && found(access, lane, uninitialized);
}

/// In global memory, as in local memory, one initialized byte suffices: structures are copied with their padding.
bool UninitializedCheck::found(const WarpAccess& access, unsigned lane, ByteMask uninitialized) const {
    const bool enough = access.space != ptx::Space::shared && uninitialized != all_bytes(bytes_of(access.access));
    const std::uint64_t address = address_of(access, lane);
    if (enough || !uses(access, address, uninitialized)) {
        keep_copy(access, lane, address, uninitialized);
        return false;
    }
    report(access.step, lane, {.space = access.space, .address = address, .uninitialized = uninitialized});
    return true;
}

void UninitializedCheck::shared_write(const WarpAccess& access, unsigned lane) {
    Block& block = access.step.block;
    if (block.uninitialized_copies.none()) return;
    block.uninitialized_copies.write_shared(access.targets.offset[lane], bytes_of(access.access),
                                            stored_copies(access, lane));
}

}  // namespace lanescope::execute
