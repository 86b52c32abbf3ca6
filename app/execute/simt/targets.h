// Where the lanes of one access go, checked: all in one region, in bounds, aligned. What every executor asks of an access
// before it moves a byte, and the moving itself.
#pragma once

#include "base/lane_mask.h"
#include "execute/simt/memory.h"

#include <array>
#include <cstdint>

namespace lanescope::execute {

/// Byte addresses of a warp's lanes.
struct alignas(64) LaneAddresses {
    std::array<std::uint64_t, 32> lane;
};

/// Offsets from a region's begin, in bounds and aligned. Lanes that take no part repeat the lowest that does, so that
/// loops over all 32 need not ask.
struct Targets {
    alignas(64) std::array<std::uint32_t, 32> offset;
    LaneMask lanes;
    bool consecutive = false;  ///< all 32 lanes, one after the other without gaps
};

/// The offsets of `lanes` in a region of `region_bytes` that begins at `base`, for accesses of `bytes` in total, to which they
/// must be aligned (PTX ISA 6.4.1). False where a lane leaves the region or is misaligned; then the targets are unusable.
[[nodiscard]] bool find_targets(const LaneAddresses& addresses, LaneMask lanes, std::uint64_t base,
                                std::uint64_t region_bytes, unsigned bytes, Targets& targets);

/// addresses = row + offset, from a row of 64 or of 32 bits (which wraps at 32).
void add_offset(const std::uint64_t* row, std::uint64_t offset, LaneAddresses& addresses);
void add_offset(const std::uint32_t* row, std::uint64_t offset, LaneAddresses& addresses);

/// Memory -> row, for values of 1, 2, 4 or 8 bytes at offset + `extra`. Narrower ones are extended to the row's cells, by
/// sign where told, and cut to `cell_bytes`. Returns the lanes that read any byte derived from input data.
LaneMask load_row(const Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, bool sign_extends,
                  std::uint32_t* row, unsigned cell_bytes);
LaneMask load_row(const Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, bool sign_extends,
                  std::uint64_t* row, unsigned cell_bytes);

/// Row -> memory, lanes in ascending order; where two write one place the higher lane stays. `derived`: the lanes whose
/// value derives from input data.
void store_row(Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, const std::uint32_t* row,
               LaneMask derived);
void store_row(Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, const std::uint64_t* row,
               LaneMask derived);

}  // namespace lanescope::execute
