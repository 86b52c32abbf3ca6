// A row of values, one a lane, <-> the pools of a Trace: most step evenly from lane to lane, and are two numbers.
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "trace/pool.h"

#include <cstdint>

namespace lanescope::trace {

/// Writes row[lane] of `lanes`, lowest first, to `to`, where there is room for a whole warp's; returns how many those
/// are.
unsigned pack(const std::uint32_t* row, LaneMask lanes, std::uint32_t* to);
unsigned pack(const std::uint64_t* row, LaneMask lanes, std::uint64_t* to);

/// Writes what lane 0 has, or would have, and the step from each lane to the next where row[lane] steps evenly in
/// `lanes`, of which there are three or more: two values are no shorter so. Else the values as pack() does. Returns how
/// many were written, and whether they are those two.
struct Packed {
    unsigned count = 0;
    bool even = false;
};
Packed pack_row(const std::uint32_t* row, LaneMask lanes, std::uint32_t* to);
Packed pack_row(const std::uint64_t* row, LaneMask lanes, std::uint64_t* to);

template <class T>
void append_packed(Pool<T>& pool, LaneMask lanes, const T* row) {
    pool.take(pack(row, lanes, pool.room(warp_size)));
}

template <class T>
void append_even(Pool<T>& pool, T base, T step) {
    T* const room = pool.room(2);
    room[0] = base;
    room[1] = step;
    pool.take(2);
}

/// True where two numbers stand for the row.
template <class T>
[[nodiscard]] bool append_row(Pool<T>& pool, LaneMask lanes, const T* row) {
    const Packed packed = pack_row(row, lanes, pool.room(warp_size));
    pool.take(packed.count);
    return packed.even;
}

}  // namespace lanescope::trace
