// Which access is ordered before which: happens-before by block barriers, warp-level synchronisation, and release and
// acquire through memory (PTX ISA 8.8, "Relations": synchronizes-with and causality order), each of which reaches the
// threads of its scope (8.6): those of the block, or all. Clusters are not launched, and the host does not read in
// between.
//
// Time counts synchronisations, and an access carries the time when it happened. All that a thread knows of another is
// one time: what that one did until then is ordered before what this one does now. Most threads know the same of each
// other, so knowledge is kept where it is shared: for the whole block (its last barrier), for a warp (its last
// __syncwarp), for pairs of lanes or of warps only once a mask or a barrier has left some out, and for threads
// elsewhere only once they synchronized through memory.
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::execute {

using Time = std::uint32_t;  ///< 0: never

/// What is known of threads, warps and blocks anywhere in the grid, by memory. Immutable, shared.
class Knowledge;
using KnowledgePtr = std::shared_ptr<const Knowledge>;

/// What the threads of one block know.
struct BlockClock {
    struct WarpClock {
        Time all = 0;  ///< every lane knows of every lane
        /// [lane][other], where masks left lanes out.
        std::unique_ptr<std::array<std::array<Time, warp_size>, warp_size>> lanes;
    };
    /// What a release carries, by the threads that may acquire it.
    struct Carried {
        KnowledgePtr block;  ///< the threads of the writer's block; no less than `grid`
        KnowledgePtr grid;   ///< all
    };
    struct ThreadClock {
        KnowledgePtr known;         ///< by acquiring
        KnowledgePtr fenced;        ///< by sequential fences, its own and of those it met since
        KnowledgePtr heard_fenced;  ///< by strong reads of all since the last sequential fence
        Carried released;           ///< at the last fence: what a write that follows carries
        Carried heard;  ///< by strong reads since the last fence, of the own block and of all: known after the next
    };
    BlockId id;
    Time all = 0;  ///< every thread knows of every thread
    std::vector<WarpClock> warps;
    std::vector<Time> between;  ///< [warp * warps + other], where barriers left warps out; else empty
    KnowledgePtr known;         ///< by all threads, brought by one of them to a barrier
    KnowledgePtr fenced;        ///< by sequential fences before the block's last barrier
    std::vector<ThreadClock> threads;
    bool has_acquired = false;  ///< a thread has acquired anything through memory
    bool has_released = false;  ///< a thread has released anything; until then `threads` hold nothing
};

/// How far an operation reaches: .cta, or .gpu and .sys.
enum class Reach : std::uint8_t { block, grid };

struct Fence {
    Reach reach = Reach::grid;
    /// fence.sc, membar: all of them are in one order (8.9.3, "Fence-SC"). Where a write that follows one, if only by
    /// way of a barrier, is read before another, the one comes first, whoever wrote.
    bool sequential = false;
};

/// A volatile, relaxed, acquire, release or atomic access, as far as it orders.
struct StrongAccess {
    Reach reach = Reach::grid;
    bool acquires = false;
    bool releases = false;
    bool updates = false;  ///< atomically: what was released at the place before stays so
};

/// What threads bring to a barrier, and take from it.
struct Meeting {
    std::vector<Time> warps;  ///< by number; 0: did not come
    KnowledgePtr known;
    std::vector<KnowledgePtr> fenced;
};

class HappensBefore {
  public:
    [[nodiscard]] Time now() const { return now_; }
    void begin(BlockClock& clock, BlockId block, std::size_t warps) const;

    /// Whether what `other` of block `other_block` did at `time` is ordered before what `thread` of `clock`'s block
    /// does now.
    [[nodiscard]] bool ordered(const BlockClock& clock, unsigned thread, BlockId other_block, unsigned other,
                               Time time) const;

    /// Threads arrive at a barrier; those of `meeting`, all of the block's if `complete` (then `waiting` is not asked),
    /// have met and go on.
    void arrive(BlockClock& clock, WarpId warp, LaneMask lanes, Meeting& meeting) const;
    void meet(BlockClock& clock, const std::vector<WarpId>& waiting, const Meeting& meeting, bool complete);
    /// Lanes synchronise by __syncwarp; `complete` where they are all that live.
    void meet_in_warp(BlockClock& clock, WarpId warp, LaneMask lanes, bool complete);

    /// fence, membar: PTX ISA 9.7.13.4.
    void fence(BlockClock& clock, WarpId warp, LaneMask lanes, Fence fence);

    void strong_write(BlockClock& clock, unsigned thread, std::uint64_t place, StrongAccess access);
    void strong_read(BlockClock& clock, unsigned thread, std::uint64_t place, StrongAccess access);

  private:
    [[nodiscard]] KnowledgePtr known_by(const BlockClock& clock, unsigned thread) const;
    void release(BlockClock& clock, unsigned thread, Reach reach) const;

    /// What a read of a place acquires.
    struct Released {
        KnowledgePtr all;
        std::map<BlockId, KnowledgePtr> blocks;  ///< from its own
        KnowledgePtr fenced;  ///< from all, for threads that execute a sequential fence after the read
    };

    Time now_ = 1;
    std::unordered_map<std::uint64_t, Released> released_;  ///< by place
};

}  // namespace lanescope::execute
