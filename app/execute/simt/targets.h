// The addresses of one access, checked: all in one region, in bounds, aligned; and the move itself. Every executor
// checks an access before it moves a byte.
#pragma once

#include "base/lane_mask.h"
#include "execute/simt/memory.h"

#include <array>
#include <cstdint>

namespace lanescope::execute {

/// Byte addresses of a warp's lanes.
struct LaneAddresses {
    std::array<std::uint64_t, 32> lane;
};

/// The addresses of an instruction: a register's row of 64 or of 32 bits, to which an offset is added (modulo 2^32 for
/// 32 bits), or no register and the offset alone.
struct AddressRow {
    const std::uint64_t* wide = nullptr;
    const std::uint32_t* narrow = nullptr;
    std::uint64_t offset = 0;

    [[nodiscard]] std::uint64_t operator[](unsigned lane) const {
        if (wide != nullptr) return wide[lane] + offset;
        return narrow != nullptr ? static_cast<std::uint32_t>(narrow[lane] + offset) : offset;
    }
};
/// All of them, less `base`.
[[nodiscard]] LaneAddresses addresses_of(const AddressRow& row, std::uint64_t base);

/// Offsets from a region's start, in bounds and aligned. Inactive lanes repeat the lowest active lane's offset, so that
/// loops over 32 lanes need no mask.
struct Targets {
    enum class Shape : std::uint8_t {
        scattered,
        consecutive,  ///< participating lanes are `stride` bytes, the size of the access, apart
        same,         ///< all at one address
    };
    alignas(64) std::array<std::uint32_t, 32> offset;
    LaneMask lanes;
    Shape shape = Shape::scattered;
    std::uint32_t stride = 0;

    [[nodiscard]] bool consecutive() const { return shape == Shape::consecutive; }
};

/// The offsets of `lanes` in a region of `region_bytes` that begins at `base`, for accesses of `bytes` in total, a
/// power of two, to which they must be aligned (PTX ISA 6.4.1). False if a lane leaves the region or is misaligned;
/// then the targets are unusable.
[[nodiscard]] bool find_targets(const AddressRow& addresses, LaneMask lanes, std::uint64_t base,
                                std::uint64_t region_bytes, unsigned bytes, Targets& targets);

/// Turns offsets in a thread's own memory of `bytes` into offsets in the memory of all threads; `first_thread` is lane
/// 0.
void spread_over_threads(Targets& targets, std::uint64_t first_thread, std::uint64_t bytes);

/// Memory -> row, for values of 1, 2, 4 or 8 bytes at offset + `extra`. Narrower ones are extended to the row's cells,
/// with the sign if requested, and truncated to `cell_bytes`. Returns the lanes that read any byte that depends on
/// input data.
LaneMask load_row(const Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, bool sign_extends,
                  std::uint32_t* row, unsigned cell_bytes);
LaneMask load_row(const Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, bool sign_extends,
                  std::uint64_t* row, unsigned cell_bytes);

/// Row -> memory, lanes in ascending order; if two write one address, the higher lane's value remains.
/// `input_dependent`: the lanes whose value depends on input data.
void store_row(Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, const std::uint32_t* row,
               LaneMask input_dependent);
void store_row(Region& region, const Targets& targets, std::uint32_t extra, unsigned bytes, const std::uint64_t* row,
               LaneMask input_dependent);

// The most common access as a whole: consecutive words, one a lane, all within the region, which begins at address
// `base`. Either all lanes take part, or the region belongs to this thread alone. False: nothing is done, and the
// access is another kind.
[[nodiscard]] bool load_words(const Region& region, const AddressRow& addresses, LaneMask lanes, std::uint64_t base,
                              std::uint32_t* row, LaneMask& input_dependent);
[[nodiscard]] bool store_words(Region& region, const AddressRow& addresses, LaneMask lanes, std::uint64_t base,
                               const std::uint32_t* row, LaneMask input_dependent);

// The same in two parts, with a check between them: whether they are such words, and the offset of the lowest lane's;
// then the move, for a store with the old contents.
[[nodiscard]] bool find_words(const Region& region, const AddressRow& addresses, LaneMask lanes, std::uint64_t base,
                              std::uint64_t& first);
LaneMask load_words_from(const Region& region, std::uint64_t first, LaneMask lanes, std::uint32_t* row);
void exchange_words(Region& region, std::uint64_t first, LaneMask lanes, const std::uint32_t* row,
                    LaneMask input_dependent, std::uint32_t* before);

}  // namespace lanescope::execute
