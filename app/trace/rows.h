// A row of values, one a lane, <-> the pools of a Trace: most have a constant stride and are stored as two numbers.
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "trace/pool.h"

#include <cstdint>

namespace lanescope::trace {

/// Writes row[lane] of `lanes`, lowest first, to `to`, which has room for a whole warp; returns how many.
unsigned pack(const std::uint32_t* row, LaneMask lanes, std::uint32_t* to);
unsigned pack(const std::uint64_t* row, LaneMask lanes, std::uint64_t* to);

/// If row[lane] has a constant stride over `lanes` and there are three or more, writes two numbers: the value that lane
/// 0 has, or would have, and the stride. Otherwise writes the values as pack() does, because two values would be no
/// shorter. Returns how many numbers were written, and whether they are base and stride.
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

/// Returns whether two numbers represent the row.
template <class T>
[[nodiscard]] bool append_row(Pool<T>& pool, LaneMask lanes, const T* row) {
    const Packed packed = pack_row(row, lanes, pool.room(warp_size));
    pool.take(packed.count);
    return packed.even;
}

}  // namespace lanescope::trace
