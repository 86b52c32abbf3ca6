// Where copies of uninitialized memory are. Copying it is not a fault: structures are copied with their padding and
// with members that are not set. Using it is a fault, there or wherever the copy is.
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "execute/emulator/code.h"

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace lanescope::execute {

/// Bytes of an access, the lowest bit for the first: at most four elements of 8 bytes.
using ByteMask = std::uint32_t;
[[nodiscard]] constexpr ByteMask all_bytes(unsigned bytes) {
    return bytes >= 32 ? ~ByteMask{0} : (ByteMask{1} << bytes) - 1U;
}

/// The copies in one block's registers and shared memory. (Block::local_written has local memory.)
class UninitializedCopies {
  public:
    /// The access that read uninitialized memory.
    struct Origin {
        Pc pc = no_pc;
        ptx::Space space = ptx::Space::none;
        std::uint64_t address = 0;  ///< in its space
        ByteMask uninitialized = 0;
    };

    /// A block starts.
    void clear();
    /// Whether there are no copies, and were none since the block started.
    [[nodiscard]] bool none() const { return none_; }

    /// The load is about to write its registers: their previous contents no longer matter.
    void forget(WarpId warp, const MemoryAccess& load, LaneMask lanes);
    /// Except `origin.uninitialized`: these bytes of the value that this lane loads are copies of uninitialized ones.
    void keep(WarpId warp, unsigned lane, const MemoryAccess& load, const Origin& origin);

    /// The uninitialized bytes of the value that the lane stores.
    [[nodiscard]] ByteMask stored(WarpId warp, unsigned lane, const MemoryAccess& store) const;
    /// The origin of one of them; there must be one.
    [[nodiscard]] const Origin& origin(WarpId warp, unsigned lane, const MemoryAccess& store) const;

    /// Shared memory from that byte on is written, except `uninitialized`.
    void write_shared(std::uint64_t offset, unsigned bytes, ByteMask uninitialized);
    [[nodiscard]] ByteMask in_shared(std::uint64_t offset, unsigned bytes) const;

  private:
    struct Register {
        std::array<std::uint8_t, warp_size> bytes{};  ///< for each lane a bit for each uninitialized byte
        std::array<Origin, warp_size> origin{};
    };
    [[nodiscard]] const Register* find(WarpId warp, const Value& value) const;

    bool none_ = true;
    std::map<std::pair<std::uint32_t, std::uint32_t>, Register> registers_;  ///< by the warp and the slot
    std::vector<bool> shared_;                                               ///< for each byte: it is a copy
};

}  // namespace lanescope::execute
