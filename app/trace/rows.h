// A row of values, one a lane, <-> the pools of a Trace: most step evenly from lane to lane, and are two numbers.
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lanescope::trace {

/// What lane 0 has, or would have, and the step from each lane to the next.
template <class T>
struct Even {
    T base = 0;
    T step = 0;
};
/// Whether row[lane] steps evenly in `lanes`, of which there are three or more: two values are no shorter so.
[[nodiscard]] bool is_even(const std::uint32_t* row, LaneMask lanes, Even<std::uint32_t>& even);
[[nodiscard]] bool is_even(const std::uint64_t* row, LaneMask lanes, Even<std::uint64_t>& even);

/// The values of `lanes`, lowest first.
template <class T>
void append_packed(std::vector<T>& pool, LaneMask lanes, const T* row) {
    if (lanes == LaneMask::all()) {
        pool.insert(pool.end(), row, row + warp_size);
        return;
    }
    std::array<T, warp_size> packed;
    std::size_t count = 0;
    for (const unsigned lane : lanes) packed[count++] = row[lane];
    pool.insert(pool.end(), packed.data(), packed.data() + count);
}

template <class T>
void append_even(std::vector<T>& pool, const Even<T>& even) {
    pool.push_back(even.base);
    pool.push_back(even.step);
}

/// True where two numbers stand for the row.
template <class T>
[[nodiscard]] bool append_row(std::vector<T>& pool, LaneMask lanes, const T* row) {
    Even<T> even;
    const bool steps_evenly = is_even(row, lanes, even);
    steps_evenly ? append_even(pool, even) : append_packed(pool, lanes, row);
    return steps_evenly;
}

}  // namespace lanescope::trace
