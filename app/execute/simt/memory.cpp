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
    : base_(base), bytes_(bytes), data_(zeros<std::byte>(bytes)), derived_(zeros<std::uint8_t>(bytes)) {}

Region::Region(std::uint64_t base, std::uint64_t bytes, std::span<const std::byte> input)
    : base_(base), bytes_(bytes), data_(uninitialized<std::byte>(bytes)), derived_(uninitialized<std::uint8_t>(bytes)) {
    const std::span<const std::byte> begin = input.first(std::min<std::size_t>(input.size(), bytes));
    std::fill(std::copy(begin.begin(), begin.end(), data_.get()), data_.get() + bytes, std::byte{});
    std::fill_n(derived_.get(), bytes, std::uint8_t{1});
}

void Region::clear() {
    if (bytes_ == 0) return;
    std::memset(data_.get(), 0, bytes_);
    std::memset(derived_.get(), 0, bytes_);
}

void Region::give_up() {
    bytes_ = 0;
    data_.reset();
    derived_.reset();
}

std::uint64_t next_global_address(std::uint64_t end) {
    if (end == 0) return first_global_address;
    return (end + guard_gap + global_alignment - 1) / global_alignment * global_alignment;
}

std::uint64_t GlobalMemory::next_address() const {
    return next_global_address(regions_.empty() ? 0 : regions_.back().base() + regions_.back().bytes());
}

Region& GlobalMemory::add(std::uint64_t bytes) { return regions_.emplace_back(next_address(), bytes); }

Region& GlobalMemory::add(std::uint64_t bytes, std::span<const std::byte> input) {
    return regions_.emplace_back(next_address(), bytes, input);
}

Region* GlobalMemory::find(std::uint64_t address, Region*& last_found) {
    if (last_found != nullptr && last_found->holds(address)) return last_found;
    const auto after = std::upper_bound(regions_.begin(), regions_.end(), address,
                                        [](std::uint64_t a, const Region& region) { return a < region.base(); });
    if (after == regions_.begin()) return nullptr;
    Region& before = *(after - 1);
    if (!before.holds(address)) return nullptr;
    last_found = &before;
    return last_found;
}

std::optional<std::size_t> GlobalMemory::nearest(std::uint64_t address) const {
    std::optional<std::size_t> found;
    std::uint64_t least = guard_gap;
    for (std::size_t index = 0; index < regions_.size(); ++index) {
        const Region& region = regions_[index];
        const std::uint64_t end = region.base() + region.bytes();
        const std::uint64_t distance = address < region.base() ? region.base() - address : address - end;
        if (distance >= least) continue;
        least = distance;
        found = index;
    }
    return found;
}

}  // namespace lanescope::execute
