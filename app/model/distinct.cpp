// Which lanes access a piece of memory that no lower lane accesses.
#include "model/model.h"

#include "base/processors.h"

namespace lanescope::model {

namespace {

using Pieces = std::array<std::uint32_t, warp_size>;

/// Compares every lane with every other, a few vectors each: a search that stops early would always be mispredicted.
LANESCOPE_FOR_EACH_PROCESSOR LaneMask first_of_each(const Pieces& pieces, LaneMask active) {
    std::uint32_t repeated = 0;
    for (unsigned lane = 1; lane < warp_size; ++lane) {
        std::uint32_t same = 0;
        for (unsigned other = 0; other < warp_size; ++other) {
            same |= pieces[other] == pieces[lane] ? 1U << other : 0U;
        }
        const std::uint32_t below = LaneMask::first(lane).bits();
        repeated |= (same & active.bits() & below) != 0 ? 1U << lane : 0U;
    }
    return active & ~LaneMask(repeated);
}

}  // namespace

LaneMask without_repeated(const Addresses& addresses, unsigned piece_bytes, LaneMask active) {
    if (active.none()) return active;
    const auto shift = static_cast<unsigned>(std::countr_zero(piece_bytes));
    const std::uint64_t first = addresses[active.lowest()] >> shift;
    Pieces pieces{};
    std::uint64_t far = 0;
    for (const unsigned lane : active) {
        const std::uint64_t distance = (addresses[lane] >> shift) - first;
        pieces[lane] = static_cast<std::uint32_t>(distance);
        far |= (distance + (std::uint64_t{1} << 31)) >> 32;
    }
    if (far == 0) return first_of_each(pieces, active);
    LaneMask firsts;
    for (const unsigned lane : active) {
        bool found = false;
        for (const unsigned other : firsts) found = found || addresses[other] >> shift == addresses[lane] >> shift;
        if (!found) firsts |= LaneMask::only(lane);
    }
    return firsts;
}

}  // namespace lanescope::model
