// What the hardware charges for one warp's access: shared-memory wavefronts and global-memory sectors.
// Pure functions of the lanes' addresses. The rules reproduce an H200's counters exactly (tests/unit/model).
#pragma once

#include "base/lane_mask.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::model {

/// Byte address of each lane, valid where the mask says so.
using Addresses = std::array<std::uint64_t, 32>;

enum class Access : std::uint8_t {
    load,
    store,
    atomic,            ///< add, min, max, or, and, xor, exch, inc, dec on 32 or 64 bit integers done in the memory unit
    atomic_add_one,    ///< 32-bit add of the constant 1 whose result is unused: a population count
    compare_and_swap,
    atomic_loop,       ///< float and 64-bit integer adds: a loop of load and compare-and-swap
};

/// The shared memory of a chip. The lectures' compute capability 1.x: 16 banks served by half-warps.
struct BankModel {
    unsigned banks = 32;      ///< 32 or 16
    unsigned word_bytes = 4;
    unsigned group = 32;      ///< lanes served together: 32, or 16 on compute capability 1.x
};

/// Wavefronts of one access of `bytes` (1, 2, 4, 8, 16) by the lanes in `active`. 0 for no active lane.
[[nodiscard]] unsigned shared_wavefronts(Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                                         const BankModel& banks = {});

/// One wavefront as it is played: which lanes it serves.
struct Wavefront {
    LaneMask lanes;
};
/// The wavefronts of one access in the order served; as many as shared_wavefronts() says (for atomic_loop, the loop's).
[[nodiscard]] std::vector<Wavefront> shared_schedule(Access access, unsigned bytes, const Addresses& addresses,
                                                     LaneMask active, const BankModel& banks = {});

/// Distinct 32-byte sectors touched by a load or store of `bytes` per lane; for atomics, summed over sectors, the most
/// lanes at one address.
[[nodiscard]] unsigned global_sectors(Access access, unsigned bytes, const Addresses& addresses, LaneMask active);

}  // namespace lanescope::model
