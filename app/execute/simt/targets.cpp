#include "execute/simt/targets.h"

#include "execute/simt/lanes.h"

#include <cstring>
#include <limits>

namespace lanescope::execute {

namespace {

using Shape = Targets::Shape;

/// Whether row[lane] == first + (lane - lowest) * step in `lanes`.
template <class C>
[[gnu::always_inline]] inline bool rises_by(const C* row, C step, LaneMask lanes) {
    const unsigned lowest = lanes.lowest();
    const C origin = row[lowest] - lowest * step;
    C different = 0;
    if (lanes == LaneMask::all()) {
        for (unsigned lane = 0; lane < 32; ++lane) different |= row[lane] ^ static_cast<C>(origin + lane * step);
    } else {
        const std::uint32_t bits = lanes.bits();
        for (unsigned lane = 0; lane < 32; ++lane) {
            const C own = row[lane] ^ static_cast<C>(origin + lane * step);
            different |= ((bits >> lane) & 1U) != 0 ? own : C{0};
        }
    }
    return different == 0;
}

/// The pattern of the addresses, if it is regular: then the first and the last lane determine all checks.
template <class C>
[[gnu::always_inline]] inline Shape shape_of(const C* row, LaneMask lanes, std::uint32_t bytes) {
    if (rises_by<C>(row, bytes, lanes)) return Shape::consecutive;
    return rises_by<C>(row, 0, lanes) ? Shape::same : Shape::scattered;
}

[[gnu::always_inline]] inline void fill_consecutive(std::uint32_t* offsets, std::uint32_t first, std::uint32_t bytes,
                                                    LaneMask lanes) {
    const std::uint32_t origin = first - lanes.lowest() * bytes;
    const std::uint32_t bits = lanes.bits();
    for (unsigned lane = 0; lane < 32; ++lane) {
        offsets[lane] = ((bits >> lane) & 1U) != 0 ? origin + lane * bytes : first;
    }
}

/// Computes offsets, and in the same pass without exits whether any is invalid.
template <class C>
[[gnu::always_inline]] inline bool find_offsets(const C* row, C added, std::uint64_t base, LaneMask lanes,
                                                std::uint64_t last, std::uint32_t bytes, std::uint32_t* offsets) {
    const std::uint64_t misalignment = bytes - 1U;
    const std::uint64_t first = static_cast<C>(row[lanes.lowest()] + added) - base;
    const std::uint32_t bits = lanes.bits();
    std::uint64_t bad = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
        const std::uint64_t own = static_cast<C>(row[lane] + added) - base;
        const std::uint64_t offset = ((bits >> lane) & 1U) != 0 ? own : first;
        bad |= static_cast<std::uint64_t>(offset > last) | (offset & misalignment);
        offsets[lane] = static_cast<std::uint32_t>(offset);
    }
    return bad == 0;
}

/// For a row of C. Regular patterns are checked by their first and last lane.
template <class C>
LANESCOPE_FOR_EACH_PROCESSOR bool find_in_row(const C* row, C added, LaneMask lanes, std::uint64_t base,
                                              std::uint64_t last, unsigned bytes, Targets& targets) {
    targets.shape = shape_of(row, lanes, bytes);
    const unsigned lowest = lanes.lowest();
    const std::uint64_t first = static_cast<C>(row[lowest] + added) - base;
    switch (targets.shape) {
        case Shape::same:
            for (unsigned lane = 0; lane < 32; ++lane) targets.offset[lane] = static_cast<std::uint32_t>(first);
            break;
        case Shape::consecutive: {
            const unsigned highest = 31U - static_cast<unsigned>(std::countl_zero(lanes.bits()));
            if (first > last || first + std::uint64_t{highest - lowest} * bytes > last) return false;
            fill_consecutive(targets.offset.data(), static_cast<std::uint32_t>(first), bytes, lanes);
            break;
        }
        case Shape::scattered: return find_offsets(row, added, base, lanes, last, bytes, targets.offset.data());
    }
    return first <= last && (first & (bytes - 1U)) == 0;
}

template <class T>
T read_as(const std::byte* data) {
    T value;
    std::memcpy(&value, data, sizeof(T));
    return value;
}

/// Memory as an array in which lane 0 has element 0; that one is valid only if the lane takes part.
template <class T>
using Element [[gnu::may_alias]] = T;
template <class T>
[[gnu::always_inline]] inline const Element<T>* elements_at(const void* first, LaneMask lanes) {
    return reinterpret_cast<const Element<T>*>(reinterpret_cast<std::uintptr_t>(first) - lanes.lowest() * sizeof(T));
}
template <class T>
[[gnu::always_inline]] inline Element<T>* elements_at(void* first, LaneMask lanes) {
    return reinterpret_cast<Element<T>*>(reinterpret_cast<std::uintptr_t>(first) - lanes.lowest() * sizeof(T));
}

/// A mark in each byte of a T.
template <class T>
constexpr T in_each_byte(std::uint8_t mark) {
    return static_cast<T>(std::numeric_limits<T>::max() / 0xFF * mark);
}

/// row[lane] = data[lane] in `lanes`; returns the lanes of which some byte depends on input.
template <class T>
[[gnu::always_inline]] inline std::uint32_t load_consecutive(const std::byte* first, const std::uint8_t* first_mark,
                                                             LaneMask lanes, T* row) {
    const Element<T>* data = elements_at<T>(first, lanes);
    const Element<T>* marks = elements_at<T>(first_mark, lanes);
    const std::uint32_t bits = lanes.bits();
    constexpr T depends = in_each_byte<T>(input_mark);
    std::uint32_t marked = 0;
    if (lanes == LaneMask::all()) {
        LANESCOPE_ROUNDS_APART
        for (unsigned lane = 0; lane < 32; ++lane) row[lane] = data[lane];
        for (unsigned lane = 0; lane < 32; ++lane) marked |= (marks[lane] & depends) != 0 ? 1U << lane : 0U;
        return marked;
    }
    LANESCOPE_ROUNDS_APART
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (((bits >> lane) & 1U) != 0) row[lane] = data[lane];
    }
    for (unsigned lane = 0; lane < 32; ++lane) {
        T own = 0;
        if (((bits >> lane) & 1U) != 0) own = marks[lane];
        marked |= (own & depends) != 0 ? 1U << lane : 0U;
    }
    return marked;
}

/// data[lane] = row[lane] in `lanes`, and their marks.
template <class T>
[[gnu::always_inline]] inline void store_consecutive(std::byte* first, std::uint8_t* first_mark, LaneMask lanes,
                                                     const T* row, std::uint32_t input_dependent) {
    Element<T>* data = elements_at<T>(first, lanes);
    Element<T>* marks = elements_at<T>(first_mark, lanes);
    constexpr T plain = in_each_byte<T>(written_mark), marked = in_each_byte<T>(written_mark | input_mark);
    const std::uint32_t bits = lanes.bits();
    if (lanes == LaneMask::all()) {
        LANESCOPE_ROUNDS_APART
        for (unsigned lane = 0; lane < 32; ++lane) data[lane] = row[lane];
        LANESCOPE_ROUNDS_APART
        for (unsigned lane = 0; lane < 32; ++lane) marks[lane] = ((input_dependent >> lane) & 1U) != 0 ? marked : plain;
        return;
    }
    LANESCOPE_ROUNDS_APART
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (((bits >> lane) & 1U) != 0) data[lane] = row[lane];
    }
    LANESCOPE_ROUNDS_APART
    for (unsigned lane = 0; lane < 32; ++lane) {
        if (((bits >> lane) & 1U) != 0) marks[lane] = ((input_dependent >> lane) & 1U) != 0 ? marked : plain;
    }
}

template <class T, class C>
LANESCOPE_FOR_EACH_PROCESSOR LaneMask load_cells(const Region& region, const Targets& targets, std::uint32_t extra,
                                                 C* row, C kept) {
    const std::byte* data = region.data() + extra;
    const std::uint8_t* input_dependent = region.marks() + extra;
    const std::uint32_t first = targets.offset[targets.lanes.lowest()];
    if (targets.shape == Shape::same) {
        Bits<T> mark;
        std::memcpy(&mark, input_dependent + first, sizeof(T));
        const auto value = static_cast<C>(static_cast<C>(read_as<T>(data + first)) & kept);
        write_lanes(
            row, targets.lanes, [&](unsigned) __attribute__((always_inline)) { return value; });
        return (mark & in_each_byte<Bits<T>>(input_mark)) != 0 ? targets.lanes : LaneMask();
    }
    if constexpr (sizeof(T) == sizeof(C)) {
        if (targets.consecutive() && targets.stride == sizeof(T)) {
            return LaneMask(load_consecutive(data + first, input_dependent + first, targets.lanes, row));
        }
    }
    std::uint32_t marked = 0;
    for (const unsigned lane : targets.lanes) {
        const std::uint32_t offset = targets.offset[lane];
        row[lane] = static_cast<C>(read_as<T>(data + offset)) & kept;
        Bits<T> mark;
        std::memcpy(&mark, input_dependent + offset, sizeof(T));
        marked |= ((mark & in_each_byte<Bits<T>>(input_mark)) != 0 ? 1U : 0U) << lane;
    }
    return LaneMask(marked);
}

template <class T, class C>
LANESCOPE_FOR_EACH_PROCESSOR void store_cells(Region& region, const Targets& targets, std::uint32_t extra, const C* row,
                                              LaneMask dependent_lanes) {
    std::byte* data = region.data() + extra;
    std::uint8_t* input_dependent = region.marks() + extra;
    if constexpr (sizeof(T) == sizeof(C)) {
        if (targets.consecutive() && targets.stride == sizeof(T)) {
            const std::uint32_t first = targets.offset[targets.lanes.lowest()];
            return store_consecutive(data + first, input_dependent + first, targets.lanes, row, dependent_lanes.bits());
        }
    }
    constexpr auto plain = in_each_byte<Bits<T>>(written_mark),
                   marked = in_each_byte<Bits<T>>(written_mark | input_mark);
    for (const unsigned lane : targets.lanes) {
        const auto value = static_cast<T>(row[lane]);
        const Bits<T> mark = dependent_lanes.has(lane) ? marked : plain;
        std::memcpy(data + targets.offset[lane], &value, sizeof(T));
        std::memcpy(input_dependent + targets.offset[lane], &mark, sizeof(T));
    }
}

constexpr std::uint32_t word_bytes = 4;

/// Whether the row's addresses name consecutive words, in bounds; their first offset.
template <class C>
[[gnu::always_inline]] inline bool are_consecutive_words(const C* row, C added, LaneMask lanes, std::uint64_t base,
                                                         std::uint64_t bytes, std::uint64_t& first) {
    if (!rises_by<C>(row, word_bytes, lanes)) return false;
    const unsigned lowest = lanes.lowest();
    const unsigned highest = 31U - static_cast<unsigned>(std::countl_zero(lanes.bits()));
    first = static_cast<C>(row[lowest] + added) - base;
    const std::uint64_t span = std::uint64_t{highest - lowest + 1} * word_bytes;
    return first < bytes && bytes - first >= span && first % word_bytes == 0;
}

/// Whether the words of all 32 lanes would be in the region, and the offset of lane 0's. Words of lanes that take no
/// part may then be read and written back, for no other thread accesses the region, or all lanes take part.
bool window_of_words(const Region& region, std::uint64_t first, LaneMask lanes, std::uint64_t& begin) {
    const std::uint64_t before = std::uint64_t{lanes.lowest()} * word_bytes;
    begin = first - before;
    return first >= before && region.bytes() - begin >= warp_size * word_bytes;
}

/// row[lane] = the lane's word of the region, from `first`, the lowest lane's, on; returns the lanes whose words depend
/// on input.
[[gnu::always_inline]] inline LaneMask read_words(const Region& region, std::uint64_t first, LaneMask lanes,
                                                  std::uint32_t* row) {
    std::uint64_t begin = 0;
    if (!window_of_words(region, first, lanes, begin)) {
        return LaneMask(load_consecutive(region.data() + first, region.marks() + first, lanes, row));
    }
    const auto* data = reinterpret_cast<const Element<std::uint32_t>*>(region.data() + begin);
    const auto* marks = reinterpret_cast<const Element<std::uint32_t>*>(region.marks() + begin);
    write_lanes(
        row, lanes, [&](unsigned lane) __attribute__((always_inline)) { return data[lane]; });
    std::uint32_t marked = 0;
    constexpr auto depends = in_each_byte<std::uint32_t>(input_mark);
    for (unsigned lane = 0; lane < 32; ++lane) marked |= (marks[lane] & depends) != 0 ? 1U << lane : 0U;
    return LaneMask(marked) & lanes;
}

/// The inverse; `before`, if not null, gets the old contents.
template <bool keeps_before>
[[gnu::always_inline]] inline void put_words(Region& region, std::uint64_t first, LaneMask lanes,
                                             const std::uint32_t* row, LaneMask input_dependent,
                                             std::uint32_t* before) {
    std::uint64_t begin = 0;
    if (!window_of_words(region, first, lanes, begin)) {
        if constexpr (keeps_before) load_consecutive(region.data() + first, region.marks() + first, lanes, before);
        store_consecutive(region.data() + first, region.marks() + first, lanes, row, input_dependent.bits());
        return;
    }
    auto* data = reinterpret_cast<Element<std::uint32_t>*>(region.data() + begin);
    auto* marks = reinterpret_cast<Element<std::uint32_t>*>(region.marks() + begin);
    if constexpr (keeps_before) {
        LANESCOPE_ROUNDS_APART
        for (unsigned lane = 0; lane < 32; ++lane) before[lane] = data[lane];
    }
    const std::uint32_t dependent_bits = input_dependent.bits();
    constexpr auto plain = in_each_byte<std::uint32_t>(written_mark);
    constexpr auto marked = in_each_byte<std::uint32_t>(written_mark | input_mark);
    write_lanes(
        data, lanes, [&](unsigned lane) __attribute__((always_inline)) { return row[lane]; });
    write_lanes(
        marks, lanes, [&](unsigned lane) __attribute__((always_inline)) {
            return ((dependent_bits >> lane) & 1U) != 0 ? marked : plain;
        });
}

template <class C>
LANESCOPE_FOR_EACH_PROCESSOR bool find_words_of(const C* addresses, C added, LaneMask lanes, std::uint64_t base,
                                                const Region& region, std::uint64_t& first) {
    return are_consecutive_words(addresses, added, lanes, base, region.bytes(), first);
}

template <class C>
LANESCOPE_FOR_EACH_PROCESSOR bool load_words_of(const C* addresses, C added, LaneMask lanes, std::uint64_t base,
                                                const Region& region, std::uint32_t* row, LaneMask& input_dependent) {
    std::uint64_t first = 0;
    if (!are_consecutive_words(addresses, added, lanes, base, region.bytes(), first)) return false;
    input_dependent = read_words(region, first, lanes, row);
    return true;
}

template <class C>
LANESCOPE_FOR_EACH_PROCESSOR bool store_words_of(const C* addresses, C added, LaneMask lanes, std::uint64_t base,
                                                 Region& region, const std::uint32_t* row, LaneMask input_dependent) {
    std::uint64_t first = 0;
    if (!are_consecutive_words(addresses, added, lanes, base, region.bytes(), first)) return false;
    put_words<false>(region, first, lanes, row, input_dependent, nullptr);
    return true;
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
               LaneMask input_dependent) {
    switch (bytes) {
        case 1: return store_cells<std::uint8_t>(region, targets, extra, row, input_dependent);
        case 2: return store_cells<std::uint16_t>(region, targets, extra, row, input_dependent);
        case 4: return store_cells<std::uint32_t>(region, targets, extra, row, input_dependent);
        default: return store_cells<std::uint64_t>(region, targets, extra, row, input_dependent);
    }
}

}  // namespace

LANESCOPE_FOR_EACH_PROCESSOR LaneAddresses addresses_of(const AddressRow& row, std::uint64_t base) {
    LaneAddresses addresses;
    if (row.wide != nullptr) {
        for (unsigned lane = 0; lane < 32; ++lane) addresses.lane[lane] = row.wide[lane] + row.offset - base;
    } else if (row.narrow != nullptr) {
        const auto low = static_cast<std::uint32_t>(row.offset);
        for (unsigned lane = 0; lane < 32; ++lane) {
            addresses.lane[lane] = static_cast<std::uint32_t>(row.narrow[lane] + low) - base;
        }
    } else {
        for (unsigned lane = 0; lane < 32; ++lane) addresses.lane[lane] = row.offset - base;
    }
    return addresses;
}

bool find_targets(const AddressRow& addresses, LaneMask lanes, std::uint64_t base, std::uint64_t region_bytes,
                  unsigned bytes, Targets& targets) {
    targets.lanes = lanes;
    targets.shape = Shape::same;
    targets.stride = bytes;
    if (lanes.none()) return true;
    if (region_bytes < bytes) return false;
    const std::uint64_t last = region_bytes - bytes;
    if (addresses.wide != nullptr) {
        return find_in_row(addresses.wide, addresses.offset, lanes, base, last, bytes, targets);
    }
    if (addresses.narrow != nullptr) {
        return find_in_row(addresses.narrow, static_cast<std::uint32_t>(addresses.offset), lanes, base, last, bytes,
                           targets);
    }
    const std::uint64_t offset = addresses.offset - base;
    targets.offset.fill(static_cast<std::uint32_t>(offset));
    return offset <= last && (offset & (bytes - 1U)) == 0;
}

LANESCOPE_FOR_EACH_PROCESSOR void spread_over_threads(Targets& targets, std::uint64_t first_thread,
                                                      std::uint64_t bytes) {
    const std::uint32_t bits = targets.lanes.bits();
    const unsigned lowest = targets.lanes.lowest();
    for (unsigned lane = 0; lane < 32; ++lane) {
        const unsigned owner = ((bits >> lane) & 1U) != 0 ? lane : lowest;
        targets.offset[lane] += static_cast<std::uint32_t>((first_thread + owner) * bytes);
    }
    targets.shape = Shape::scattered;
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
               LaneMask input_dependent) {
    store_any(region, targets, extra, bytes, row, input_dependent);
}
void store_row(Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, const std::uint64_t* row,
               LaneMask input_dependent) {
    store_any(region, targets, extra, bytes, row, input_dependent);
}

bool load_words(const Region& region, const AddressRow& addresses, LaneMask lanes, std::uint64_t base,
                std::uint32_t* row, LaneMask& input_dependent) {
    const auto low = static_cast<std::uint32_t>(addresses.offset);
    return addresses.wide != nullptr
               ? load_words_of(addresses.wide, addresses.offset, lanes, base, region, row, input_dependent)
               : load_words_of(addresses.narrow, low, lanes, base, region, row, input_dependent);
}

bool store_words(Region& region, const AddressRow& addresses, LaneMask lanes, std::uint64_t base,
                 const std::uint32_t* row, LaneMask input_dependent) {
    const auto low = static_cast<std::uint32_t>(addresses.offset);
    return addresses.wide != nullptr
               ? store_words_of(addresses.wide, addresses.offset, lanes, base, region, row, input_dependent)
               : store_words_of(addresses.narrow, low, lanes, base, region, row, input_dependent);
}

bool find_words(const Region& region, const AddressRow& addresses, LaneMask lanes, std::uint64_t base,
                std::uint64_t& first) {
    const auto low = static_cast<std::uint32_t>(addresses.offset);
    return addresses.wide != nullptr ? find_words_of(addresses.wide, addresses.offset, lanes, base, region, first)
                                     : find_words_of(addresses.narrow, low, lanes, base, region, first);
}

LANESCOPE_FOR_EACH_PROCESSOR LaneMask load_words_from(const Region& region, std::uint64_t first, LaneMask lanes,
                                                      std::uint32_t* row) {
    return read_words(region, first, lanes, row);
}

LANESCOPE_FOR_EACH_PROCESSOR void exchange_words(Region& region, std::uint64_t first, LaneMask lanes,
                                                 const std::uint32_t* row, LaneMask input_dependent,
                                                 std::uint32_t* before) {
    put_words<true>(region, first, lanes, row, input_dependent, before);
}

}  // namespace lanescope::execute
