#include "trace/rows.h"

#include "base/processors.h"

#include <type_traits>

namespace lanescope::trace {

namespace {

template <class T>
[[gnu::always_inline]] inline bool steps_evenly(const T* row, LaneMask lanes, Even<T>& even) {
    T different = 0;
    if (lanes == LaneMask::all()) {
        even = {.base = row[0], .step = static_cast<T>(row[1] - row[0])};
        for (unsigned lane = 0; lane < warp_size; ++lane) {
            different |= row[lane] ^ static_cast<T>(even.base + lane * even.step);
        }
        return different == 0;
    }
    const unsigned first = lanes.lowest();
    const LaneMask rest = lanes & ~LaneMask::only(first);
    if (rest.none()) return false;
    const unsigned second = rest.lowest();
    if (rest == LaneMask::only(second)) return false;
    using Signed = std::make_signed_t<T>;
    const auto rise = static_cast<Signed>(row[second] - row[first]);
    const auto run = static_cast<Signed>(second - first);
    if (rise % run != 0) return false;
    even.step = static_cast<T>(rise / run);
    even.base = static_cast<T>(row[first] - first * even.step);
    const std::uint32_t bits = lanes.bits();
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        const T own = row[lane] ^ static_cast<T>(even.base + lane * even.step);
        different |= ((bits >> lane) & 1U) != 0 ? own : T{0};
    }
    return different == 0;
}

}  // namespace

LANESCOPE_FOR_EACH_PROCESSOR bool is_even(const std::uint32_t* row, LaneMask lanes, Even<std::uint32_t>& even) {
    return steps_evenly(row, lanes, even);
}

LANESCOPE_FOR_EACH_PROCESSOR bool is_even(const std::uint64_t* row, LaneMask lanes, Even<std::uint64_t>& even) {
    return steps_evenly(row, lanes, even);
}

}  // namespace lanescope::trace
