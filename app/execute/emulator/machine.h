// The state of the executing machine: warps with their registers and their control, blocks with their shared memory and
// barriers.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/copies.h"
#include "execute/emulator/happens_before.h"
#include "execute/emulator/shadow.h"
#include "execute/emulator/uninitialized_copies.h"
#include "execute/simt/memory.h"
#include "execute/simt/warp_control.h"
#include "trace/trace.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <vector>

namespace lanescope::execute {

/// Bytes aligned for vectors.
class RowStorage {
  public:
    RowStorage() = default;
    explicit RowStorage(std::size_t bytes)
        : bytes_(static_cast<std::byte*>(::operator new[](bytes, alignment))), size_(bytes) {}
    [[nodiscard]] std::byte* data() { return bytes_.get(); }
    [[nodiscard]] std::size_t size() const { return size_; }

  private:
    static constexpr std::align_val_t alignment{64};
    struct Free {
        void operator()(std::byte* bytes) const { ::operator delete[](bytes, alignment); }
    };
    std::unique_ptr<std::byte[], Free> bytes_;
    std::size_t size_ = 0;
};

/// A block that never ends may pass barriers forever: what follows the last of these epochs is counted with it.
inline constexpr std::uint32_t most_epochs = std::uint32_t{1} << 18;
[[nodiscard]] constexpr std::uint32_t counted_epoch(std::uint32_t epoch) { return std::min(epoch, most_epochs - 1); }

struct Warp {
    std::byte* file = nullptr;  ///< its register file
    WarpControl control;
    WarpId id;
    std::uint32_t epoch = 0;          ///< block barriers passed
    trace::Counts* counts = nullptr;  ///< of its epoch
    std::uint64_t clock = 0;          ///< instructions executed
    /// Registers of recursive functions, lane by lane, while an inner call uses them: a value, then whether it depends
    /// on input.
    std::array<std::vector<std::uint64_t>, warp_size> spilled;
    StepId step;                ///< its last one in the record
    std::uint32_t watched = 0;  ///< place among the facts of EndlessLoops, from 1; 0: none

    [[nodiscard]] std::uint32_t& word(std::uint32_t slot) const {
        return *reinterpret_cast<std::uint32_t*>(file + slot);
    }
    [[nodiscard]] std::uint32_t* narrow(std::uint32_t slot) const {
        return reinterpret_cast<std::uint32_t*>(file + slot);
    }
    [[nodiscard]] std::uint64_t* wide(std::uint32_t slot) const {
        return reinterpret_cast<std::uint64_t*>(file + slot);
    }
};

/// One of the block's barriers (PTX ISA 9.7.13.1).
struct Barrier {
    std::uint32_t arrived = 0;   ///< threads
    std::uint32_t expected = 0;  ///< threads; 0: all that have not exited
    bool reduces = false;        ///< some path waits for a result
    [[nodiscard]] bool used() const { return arrived > 0; }
};

struct Block {
    BlockId id;
    trace::Dim3 index;  ///< in the grid; counts from 0
    bool recorded = false;
    std::uint32_t live = 0;  ///< threads that have not exited
    std::vector<Warp> warps;
    RowStorage files;
    Region shared;
    Region local;  ///< of all threads, one after another
    std::array<Barrier, barrier_count> barriers{};
    std::uint64_t clock_seen = 0;  ///< of its longest warp, when its last turn ended
    std::uint64_t waited = 0;      ///< of that, in turns in which it only waited
    enum class Stall : std::uint8_t { none, to_come, now };
    Stall stall = Stall::none;

    // Only blocks that are checked for races and uninitialized reads (access_check.h).
    bool followed = false;  ///< its synchronization is tracked
    bool checked = false;   ///< its accesses are checked, too
    BlockClock clock;
    std::array<Meeting, barrier_count> meetings{};
    Copies copies;  ///< only if checked
    Shadow shared_shadow;
    /// For each byte of `local`: 1 or 0; in parameters of calls `copied_uninitialized` or another.
    std::vector<std::uint8_t> local_written;
    static constexpr std::uint8_t copied_uninitialized = 2;
    UninitializedCopies uninitialized_copies;
};

/// One warp instruction as it executes.
struct WarpStep {
    Block& block;
    Warp& warp;
    const Micro& micro;
    LaneMask executed;  ///< lanes of the current path whose guard holds

    /// The lane's number in its block.
    [[nodiscard]] unsigned thread(unsigned lane) const { return warp.id.value * warp_size + lane; }
};

}  // namespace lanescope::execute
