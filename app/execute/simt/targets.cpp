#include "execute/simt/targets.h"

#include "execute/simt/lanes.h"

#include <cstring>
#include <limits>

namespace lanescope::execute {

namespace {

/// Offsets, and in the same pass without exits what is wrong with them, and whether they follow one another.
struct Offsets {
    bool fits;
    bool consecutive;
};
LANESCOPE_FOR_EACH_PROCESSOR Offsets find_offsets(const std::uint64_t* addresses, LaneMask lanes, std::uint64_t base,
                                                  std::uint64_t last, std::uint32_t bytes, std::uint32_t* offsets) {
    const std::uint64_t misalignment = bytes - 1U;
    const std::uint64_t first = addresses[lanes.lowest()] - base;
    std::uint64_t bad = 0;
    std::uint64_t different = 0;
    if (lanes == LaneMask::all()) {
        for (unsigned lane = 0; lane < 32; ++lane) {
            const std::uint64_t offset = addresses[lane] - base;
            bad |= static_cast<std::uint64_t>(offset > last) | (offset & misalignment);
            different |= offset ^ (first + std::uint64_t{lane} * bytes);
            offsets[lane] = static_cast<std::uint32_t>(offset);
        }
        return {.fits = bad == 0, .consecutive = different == 0};
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint64_t offset = ((lanes.bits() >> lane) & 1U) != 0 ? addresses[lane] - base : first;
        bad |= static_cast<std::uint64_t>(offset > last) | (offset & misalignment);
        offsets[lane] = static_cast<std::uint32_t>(offset);
    }
    return {.fits = bad == 0, .consecutive = false};
}

template <class T>
T read_as(const std::byte* data) {
    T value;
    std::memcpy(&value, data, sizeof(T));
    return value;
}

/// The lanes whose word is not zero.
template <class T>
LANESCOPE_FOR_EACH_PROCESSOR std::uint32_t lanes_not_zero(const T* words) {
    std::uint32_t result = 0;
    for (unsigned lane = 0; lane < 32; ++lane) result |= words[lane] != 0 ? 1U << lane : 0U;
    return result;
}

template <class T, class C>
LaneMask load_cells(const Region& region, const Targets& targets, std::uint32_t extra, C* row, C kept) {
    const std::byte* data = region.data() + extra;
    const std::uint8_t* derived = region.derived() + extra;
    if (sizeof(T) == sizeof(C) && targets.consecutive && sizeof(T) == targets.offset[1] - targets.offset[0]) {
        std::memcpy(row, data + targets.offset[0], 32 * sizeof(T));
        alignas(64) C marks[32];
        std::memcpy(marks, derived + targets.offset[0], 32 * sizeof(T));
        return LaneMask(lanes_not_zero(marks));
    }
    std::uint32_t marked = 0;
    for (const unsigned lane : targets.lanes) {
        const std::uint32_t offset = targets.offset[lane];
        row[lane] = static_cast<C>(read_as<T>(data + offset)) & kept;
        Bits<T> mark;
        std::memcpy(&mark, derived + offset, sizeof(T));
        marked |= (mark != 0 ? 1U : 0U) << lane;
    }
    return LaneMask(marked);
}

template <class T, class C>
void store_cells(Region& region, const Targets& targets, std::uint32_t extra, const C* row, LaneMask derived_lanes) {
    std::byte* data = region.data() + extra;
    std::uint8_t* derived = region.derived() + extra;
    if (sizeof(T) == sizeof(C) && targets.consecutive && sizeof(T) == targets.offset[1] - targets.offset[0] &&
        (derived_lanes == LaneMask::all() || derived_lanes.none())) {
        std::memcpy(data + targets.offset[0], row, 32 * sizeof(T));
        std::memset(derived + targets.offset[0], derived_lanes.any() ? 1 : 0, 32 * sizeof(T));
        return;
    }
    constexpr Bits<T> marked = std::numeric_limits<Bits<T>>::max() / 0xFF;  // 1 in each byte
    for (const unsigned lane : targets.lanes) {
        const auto value = static_cast<T>(row[lane]);
        const Bits<T> mark = derived_lanes.has(lane) ? marked : Bits<T>{0};
        std::memcpy(data + targets.offset[lane], &value, sizeof(T));
        std::memcpy(derived + targets.offset[lane], &mark, sizeof(T));
    }
}

template <class C>
LaneMask load_any(const Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, bool sign_extends,
                  C* row, unsigned cell_bytes) {
    const C kept = cell_bytes >= sizeof(C) ? static_cast<C>(~C{0}) : static_cast<C>((C{1} << (cell_bytes * 8)) - 1U);
    switch (bytes) {
        case 1:
            return sign_extends ? load_cells<std::int8_t>(region, targets, extra, row, kept)
                                : load_cells<std::uint8_t>(region, targets, extra, row, kept);
        case 2:
            return sign_extends ? load_cells<std::int16_t>(region, targets, extra, row, kept)
                                : load_cells<std::uint16_t>(region, targets, extra, row, kept);
        case 4:
            return sign_extends ? load_cells<std::int32_t>(region, targets, extra, row, kept)
                                : load_cells<std::uint32_t>(region, targets, extra, row, kept);
        default: return load_cells<std::uint64_t>(region, targets, extra, row, kept);
    }
}

template <class C>
void store_any(Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, const C* row,
               LaneMask derived) {
    switch (bytes) {
        case 1: return store_cells<std::uint8_t>(region, targets, extra, row, derived);
        case 2: return store_cells<std::uint16_t>(region, targets, extra, row, derived);
        case 4: return store_cells<std::uint32_t>(region, targets, extra, row, derived);
        default: return store_cells<std::uint64_t>(region, targets, extra, row, derived);
    }
}

}  // namespace

bool find_targets(const LaneAddresses& addresses, LaneMask lanes, std::uint64_t base, std::uint64_t region_bytes,
                  unsigned bytes, Targets& targets) {
    targets.lanes = lanes;
    targets.consecutive = false;
    if (lanes.none()) return true;
    if (region_bytes < bytes) return false;
    const Offsets found =
        find_offsets(addresses.lane.data(), lanes, base, region_bytes - bytes, bytes, targets.offset.data());
    targets.consecutive = found.consecutive;
    return found.fits;
}

LANESCOPE_FOR_EACH_PROCESSOR void add_offset(const std::uint64_t* row, std::uint64_t offset, LaneAddresses& addresses) {
    for (unsigned lane = 0; lane < 32; ++lane) addresses.lane[lane] = row[lane] + offset;
}

LANESCOPE_FOR_EACH_PROCESSOR void add_offset(const std::uint32_t* row, std::uint64_t offset, LaneAddresses& addresses) {
    const auto low = static_cast<std::uint32_t>(offset);
    for (unsigned lane = 0; lane < 32; ++lane) addresses.lane[lane] = row[lane] + low;
}

LaneMask load_row(const Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, bool sign_extends,
                  std::uint32_t* row, unsigned cell_bytes) {
    return load_any(region, targets, extra, bytes, sign_extends, row, cell_bytes);
}
LaneMask load_row(const Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, bool sign_extends,
                  std::uint64_t* row, unsigned cell_bytes) {
    return load_any(region, targets, extra, bytes, sign_extends, row, cell_bytes);
}

void store_row(Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, const std::uint32_t* row,
               LaneMask derived) {
    store_any(region, targets, extra, bytes, row, derived);
}
void store_row(Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, const std::uint64_t* row,
               LaneMask derived) {
    store_any(region, targets, extra, bytes, row, derived);
}

}  // namespace lanescope::execute
