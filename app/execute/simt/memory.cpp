#include "execute/simt/memory.h"

#include "execute/simt/addresses.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

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

using Marks = std::unique_ptr<std::uint8_t[], FreeOwned>;

constexpr std::uint8_t all_marks = input_mark | written_mark;
constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;

/// Sets the marks of `bytes`. In a mapping, many marks are one piece of a file, mapped repeatedly, so that pages that
/// nothing changes later cost nothing.
void set_marks(std::uint8_t* marks, std::uint64_t bytes, bool in_mapping) {
    static const int file = [] {
        const int made = memfd_create("lanescope-marks", MFD_CLOEXEC);
        const std::vector<std::uint8_t> full(piece_bytes, all_marks);
        return made >= 0 && write(made, full.data(), full.size()) == static_cast<ssize_t>(full.size()) ? made : -1;
    }();
    constexpr std::uint64_t page_bytes = 4096;
    const std::uint64_t before =
        std::min(bytes, (page_bytes - reinterpret_cast<std::uintptr_t>(marks) % page_bytes) % page_bytes);
    const std::uint64_t inside = (bytes - before) / page_bytes * page_bytes;
    if (!in_mapping || file < 0 || inside < piece_bytes) {
        std::fill_n(marks, bytes, all_marks);
        return;
    }
    std::fill_n(marks, before, all_marks);
    for (std::uint64_t at = before; at < before + inside; at += piece_bytes) {
        const std::uint64_t count = std::min(piece_bytes, before + inside - at);
        const int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
        if (mmap(marks + at, count, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED)
            std::fill_n(marks + at, count, all_marks);
    }
    std::fill_n(marks + before + inside, bytes - before - inside, all_marks);
}

/// Marks of which none or all are set.
Marks marks_of(std::uint64_t bytes, bool all) {
    if (bytes < 4 * piece_bytes) {
        Marks marks(all ? uninitialized<std::uint8_t>(bytes) : zeros<std::uint8_t>(bytes));
        if (all) std::fill_n(marks.get(), bytes, all_marks);
        return marks;
    }
    void* const mapping =
        mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) throw std::bad_alloc();
    Marks marks(static_cast<std::uint8_t*>(mapping), FreeOwned{.owned = true, .mapped = bytes});
    if (all) set_marks(marks.get(), bytes, true);
    return marks;
}

}  // namespace

void FreeOwned::operator()(void* bytes) const {
    if (!owned) return;
    if (mapped > 0)
        munmap(bytes, mapped);
    else
        std::free(bytes);
}

Region::Region(std::uint64_t base, std::uint64_t bytes)
    : base_(base), bytes_(bytes), data_(zeros<std::byte>(bytes)), marks_(zeros<std::uint8_t>(bytes)) {}

Region::Region(std::uint64_t base, std::uint64_t bytes, std::span<const std::byte> input)
    : base_(base), bytes_(bytes), data_(uninitialized<std::byte>(bytes)), marks_(uninitialized<std::uint8_t>(bytes)) {
    const std::span<const std::byte> begin = input.first(std::min<std::size_t>(input.size(), bytes));
    std::fill(std::copy(begin.begin(), begin.end(), data_.get()), data_.get() + bytes, std::byte{});
    std::fill_n(marks_.get(), bytes, all_marks);
}

Region::Region(std::uint64_t base, std::uint64_t bytes, std::byte* memory, Input input)
    : base_(base),
      bytes_(bytes),
      data_(memory, FreeOwned{.owned = false}),
      marks_(marks_of(bytes, input == Input::all)),
      begins_unwritten_(input == Input::none) {}

bool Region::is_written(std::uint64_t offset, std::uint64_t bytes) const {
    return std::memchr(marks_.get() + offset, 0, bytes) == nullptr;
}

std::uint64_t Region::count_unwritten(std::uint64_t offset, std::uint64_t bytes) const {
    const std::uint8_t* const first = marks_.get() + offset;
    return static_cast<std::uint64_t>(std::count(first, first + bytes, std::uint8_t{0}));
}

void Region::mark_input(std::uint64_t offset, std::uint64_t bytes) {
    set_marks(marks_.get() + offset, bytes, marks_.get_deleter().mapped > 0);
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

std::uint64_t GlobalMemory::add_buffer(std::uint64_t base, std::uint64_t bytes, SparseBytes input) {
    if (base == 0) base = next_address();
    input.resize(bytes);
    SparseBytes& kept = buffers_[base] = std::move(input);
    add_owned(base, bytes, kept.writable(), Region::Input::all);
    return base;
}

void GlobalMemory::add_owned(std::uint64_t base, std::uint64_t bytes, std::byte* memory, Region::Input input) {
    std::uint64_t at = 0;
    do {  // a buffer without bytes has one region, too
        placed(Region(base + at, std::min(most_region_bytes, bytes - at), memory + at, input));
        at += most_region_bytes;
    } while (at < bytes);
}

void GlobalMemory::add_adjoining(Region& region, std::set<Region*>& to) const {
    to.insert(&region);
    for (Region* next = &region; next->bytes() == most_region_bytes;) {
        next = from(next->base() + most_region_bytes);
        if (next == nullptr) break;
        to.insert(next);
    }
    for (const Region* first = &region;;) {
        Region* const before = from(first->base() - most_region_bytes);
        if (before == nullptr || before->bytes() != most_region_bytes) break;
        to.insert(before);
        first = before;
    }
}

void GlobalMemory::give_up(std::uint64_t base, std::uint64_t bytes) {
    for_each_region(base, bytes, [](Region& region, std::uint64_t) { region.give_up(); });
    buffers_.erase(base);
}

Region* GlobalMemory::find(std::uint64_t address, Region*& last_found) {
    if (last_found != nullptr && last_found->holds(address)) return last_found;
    const auto after = std::ranges::upper_bound(by_address_, address, {}, &Place::base);
    if (after == by_address_.begin()) return nullptr;
    Region* const before = (after - 1)->region;
    if (!before->holds(address)) return nullptr;
    before->note_access();
    last_found = before;
    return last_found;
}

Region* GlobalMemory::from(std::uint64_t base) const {
    const auto at = std::ranges::lower_bound(by_address_, base, {}, &Place::base);
    return at != by_address_.end() && at->base == base ? at->region : nullptr;
}

std::uint64_t GlobalMemory::Place::distance_to(std::uint64_t address) const {
    const std::uint64_t end = base + region->bytes();
    return address < base ? base - address : address < end ? 0 : address - end;
}

bool GlobalMemory::has_within(std::uint64_t address, std::uint64_t bytes) const {
    return std::ranges::any_of(by_address_, [&](const Place& place) {
        return place.region->bytes() > 0 && place.distance_to(address) < bytes;
    });
}

const Region* GlobalMemory::nearest(std::uint64_t address) const {
    const Region* found = nullptr;
    std::uint64_t least = gap_;
    for (const Place& place : by_address_) {
        const std::uint64_t distance = place.distance_to(address);
        if (distance >= least) continue;
        least = distance;
        found = place.region;
    }
    return found;
}

}  // namespace lanescope::execute
