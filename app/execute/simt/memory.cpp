#include "execute/simt/memory.h"

#include "execute/simt/addresses.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace lanescope::execute {

namespace {

template <class Byte>
Byte* there_is(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<Byte*>(memory);
}

template <class Byte>
Byte* zeros(std::uint64_t bytes) {
    return there_is<Byte>(std::calloc(std::max<std::uint64_t>(bytes, 1), 1));
}

template <class Byte>
Byte* uninitialized(std::uint64_t bytes) {
    return there_is<Byte>(std::malloc(std::max<std::uint64_t>(bytes, 1)));
}

}  // namespace

Region::Region(std::uint64_t base, std::uint64_t bytes)
    : base_(base), bytes_(bytes), data_(zeros<std::byte>(bytes)), marks_(zeros<std::uint8_t>(bytes)) {}

Region::Region(std::uint64_t base, std::uint64_t bytes, std::span<const std::byte> input)
    : base_(base), bytes_(bytes), data_(uninitialized<std::byte>(bytes)), marks_(uninitialized<std::uint8_t>(bytes)) {
    const std::span<const std::byte> begin = input.first(std::min<std::size_t>(input.size(), bytes));
    std::fill(std::copy(begin.begin(), begin.end(), data_.get()), data_.get() + bytes, std::byte{});
    std::fill_n(marks_.get(), bytes, std::uint8_t{input_mark | written_mark});
}

Region::Region(std::uint64_t base, std::uint64_t bytes, std::byte* memory)
    : base_(base),
      bytes_(bytes),
      data_(memory, FreeOwned{.owned = false}),
      marks_(zeros<std::uint8_t>(bytes)),
      begins_unwritten_(true) {}

bool Region::is_written(std::uint64_t offset, std::uint64_t bytes) const {
    return std::memchr(marks_.get() + offset, 0, bytes) == nullptr;
}

void Region::clear() {
    if (bytes_ == 0) return;
    std::memset(data_.get(), 0, bytes_);
    std::memset(marks_.get(), 0, bytes_);
}

void Region::give_up() {
    bytes_ = 0;
    data_.reset();
    marks_.reset();
}

std::uint64_t next_global_address(std::uint64_t end, std::uint64_t gap) {
    if (end == 0) return first_global_address;
    return (end + gap + global_alignment - 1) / global_alignment * global_alignment;
}

std::uint64_t GlobalMemory::next_address() const {
    const std::uint64_t end = by_address_.empty() ? 0 : by_address_.back().base + by_address_.back().region->bytes();
    return next_global_address(end, gap_);
}

Region& GlobalMemory::placed(Region region) {
    Region& added = regions_.emplace_back(std::move(region));
    const auto at = std::ranges::upper_bound(by_address_, added.base(), {}, &Place::base);
    by_address_.insert(at, {added.base(), &added});
    return added;
}

Region& GlobalMemory::add(std::uint64_t bytes) { return placed(Region(next_address(), bytes)); }

Region& GlobalMemory::add(std::uint64_t bytes, std::span<const std::byte> input) {
    return placed(Region(next_address(), bytes, input));
}

Region& GlobalMemory::add_at(std::uint64_t base, std::uint64_t bytes, std::span<const std::byte> input) {
    return placed(Region(base, bytes, input));
}

Region& GlobalMemory::add_at(std::uint64_t base, std::uint64_t bytes, std::byte* memory) {
    return placed(Region(base, bytes, memory));
}

Region* GlobalMemory::find(std::uint64_t address, Region*& last_found) {
    if (last_found != nullptr && last_found->holds(address)) return last_found;
    const auto after = std::ranges::upper_bound(by_address_, address, {}, &Place::base);
    if (after == by_address_.begin()) return nullptr;
    Region* const before = (after - 1)->region;
    if (!before->holds(address)) return nullptr;
    last_found = before;
    return last_found;
}

Region* GlobalMemory::from(std::uint64_t base) const {
    const auto at = std::ranges::lower_bound(by_address_, base, {}, &Place::base);
    return at != by_address_.end() && at->base == base ? at->region : nullptr;
}

const Region* GlobalMemory::nearest(std::uint64_t address) const {
    const Region* found = nullptr;
    std::uint64_t least = gap_;
    for (const Place& place : by_address_) {
        const std::uint64_t end = place.base + place.region->bytes();
        const std::uint64_t distance = address < place.base ? place.base - address : address < end ? 0 : address - end;
        if (distance >= least) continue;
        least = distance;
        found = place.region;
    }
    return found;
}

}  // namespace lanescope::execute
