// One warp's access -> what the hardware counts for it: shared-memory wavefronts and global-memory sectors.
// Pure functions of the lanes' addresses. The rules reproduce an H200's counters exactly (tests/unit/model).
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "model/device_limits.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lanescope::model {

/// The unit of a transfer of global memory.
inline constexpr std::uint32_t sector_bytes = 32;

/// Byte address of each lane, valid for the lanes of the mask. Lanes' accesses are aligned to their size.
using Addresses = std::array<std::uint64_t, 32>;

enum class Access : std::uint8_t {
    load,
    generic_load,  ///< of an address whose state space the PTX does not name
    store,
    atomic,          ///< of 32 bits add, min, max, or, and, xor, exch, inc, dec; of 64 exch: done in the memory unit
    atomic_add_one,  ///< 32-bit add of the constant 1 whose result is unused: a population count
    compare_and_swap,
    atomic_loop,  ///< float adds, and all else of 64 bits: a loop of load and compare-and-swap
};

[[nodiscard]] constexpr bool is_load(Access access) { return access == Access::load || access == Access::generic_load; }

/// A load or a store, no atomic.
[[nodiscard]] constexpr bool is_plain(Access access) { return is_load(access) || access == Access::store; }

/// The shared memory of a device: the H200's by default, or the G80's of the lectures.
struct BankModel {
    unsigned banks = usual_banks;  ///< 32 or 16
    unsigned word_bytes = bank_bytes;
    unsigned group = warp_size;  ///< lanes served together: 32, or 16 on compute capability 1.x

    /// Compute capability 1.x: 16 banks serve one half-warp at a time, and only one word is broadcast, that of the
    /// lowest active lane (CUDA C Programming Guide 4.2, F.3.3).
    static BankModel compute_capability_1() { return of_device(limits_of(10)); }
    /// The device that has so many banks: 16 on compute capability 1.x, 32 on the emulated one.
    static BankModel of(unsigned banks) {
        return of_device(banks == half_warp_banks() ? limits_of(10) : emulated_device());
    }
    static BankModel of_device(const DeviceLimits& limits) {
        return {.banks = limits.banks, .word_bytes = bank_bytes, .group = limits.bank_lanes};
    }
    friend bool operator==(const BankModel&, const BankModel&) = default;
};

/// The bank of the word that has the address.
[[nodiscard]] constexpr unsigned bank_of(std::uint64_t address, const BankModel& banks) {
    return static_cast<unsigned>(address / banks.word_bytes % banks.banks);
}

/// The counts of one access. Loops of load and compare-and-swap add to two of them.
struct Wavefronts {
    unsigned load = 0;
    unsigned store = 0;
    unsigned atomic = 0;
    [[nodiscard]] unsigned total() const { return load + store + atomic; }
    friend bool operator==(const Wavefronts&, const Wavefronts&) = default;
};
/// The wavefronts of one access of `bytes` (1, 2, 4, 8, 16) a lane by the lanes in `active`; none for no active lane.
[[nodiscard]] Wavefronts wavefronts(Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                                    const BankModel& banks = {});

/// wavefronts().total().
[[nodiscard]] unsigned shared_wavefronts(Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                                         const BankModel& banks = {});

/// The n of an n-way bank conflict of a load or store, as lectures count it: the wavefronts of the worst of the groups
/// of lanes that are served together. 1 without a conflict, 0 without an active lane.
[[nodiscard]] unsigned conflict_ways(Access access, unsigned bytes, const Addresses& addresses, LaneMask active,
                                     const BankModel& banks = {});

/// One wavefront, as a picture plays it.
struct Wavefront {
    LaneMask lanes;  ///< that it serves; none for a compare-and-swap's second
    LaneMask group;  ///< active lanes that share its turns: of the warp, or of a half or quarter if accesses are wide
    bool loads = false;  ///< by a load, or by the load in an atomic_loop
};
/// The wavefronts of one access in the order served; as many as shared_wavefronts() says (for atomic_loop, the loop's).
/// How many there are is measured; that lower lanes go first is the picture's choice.
[[nodiscard]] std::vector<Wavefront> shared_schedule(Access access, unsigned bytes, const Addresses& addresses,
                                                     LaneMask active, const BankModel& banks = {});

/// Distinct 32-byte sectors touched by a load or store of `bytes` per lane; for atomics, summed over sectors, the most
/// lanes at one address.
[[nodiscard]] unsigned global_sectors(Access access, unsigned bytes, const Addresses& addresses, LaneMask active);

/// One sector request, as global_sectors() counts it.
struct SectorRequest {
    std::uint64_t sector = 0;  ///< address / sector_bytes
    LaneMask lanes;            ///< that it serves
};
/// The sectors of one access, ascending, as many as global_sectors() says: for a load or store each sector once, with
/// its lanes; for an atomic each sector as often as lanes share one of its addresses, one lane of every address at a
/// time, the lowest first. How many there are is measured; the order is the picture's choice.
[[nodiscard]] std::vector<SectorRequest> sector_schedule(Access access, unsigned bytes, const Addresses& addresses,
                                                         LaneMask active);

/// The lanes of `active` whose piece of memory, of `piece_bytes` (a power of two), no lower lane accesses. Counting
/// asks this of every access whose addresses are new. One bit for each distinct piece.
[[nodiscard]] LaneMask without_repeated(const Addresses& addresses, unsigned piece_bytes, LaneMask active);

}  // namespace lanescope::model
