// Which access is ordered before which: happens-before by block barriers, warp-level synchronization, and release and
// acquire through memory (PTX ISA 8.8, "Relations": synchronizes-with and causality order), each of which reaches the
// threads of its scope (8.6): those of the block, or all. Clusters are not launched, and the host does not read in
// between.
//
// Time counts synchronizations, and an access carries the time when it happened. A thread knows one time of each other
// thread: accesses of that thread until then are ordered before this thread's accesses from now on. Most threads know
// the same of each other, so knowledge is kept where it is shared: for the whole block (its last barrier), for a warp
// (its last __syncwarp), for pairs of lanes or of warps only once a mask or a barrier has left some out, and for
// threads of other blocks only once they synchronized through memory.
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

/// Knowledge of threads, warps and blocks anywhere in the grid, through memory. Immutable, shared.
class Knowledge;
using KnowledgePtr = std::shared_ptr<const Knowledge>;

/// The knowledge of the threads of one block.
struct BlockClock {
    struct WarpClock {
        Time all = 0;                                                      ///< every lane knows of every lane
        using Lanes = std::array<std::array<Time, warp_size>, warp_size>;  ///< [lane][other]
        std::unique_ptr<Lanes> lanes;                                      ///< if masks left lanes out
        /// By shuffles, votes and matches, which order nothing but operations on mbarriers.
        std::unique_ptr<Lanes> exchanged;
    };
    /// The knowledge that a release carries, by the threads that may acquire it.
    struct Carried {
        KnowledgePtr block;  ///< the threads of the writer's block; no less than `grid`
        KnowledgePtr grid;   ///< all
    };
    struct ThreadClock {
        KnowledgePtr known;         ///< acquired
        KnowledgePtr fenced;        ///< by sequential fences, its own and of those it met since
        KnowledgePtr heard_fenced;  ///< from strong reads since the last sequential fence
        Carried released;           ///< at the last fence: carried by the writes after it
        Carried heard;  ///< from strong reads since the last fence, own block and all: acquired by the next fence
    };
    BlockId id;
    Time all = 0;  ///< every thread knows of every thread
    std::vector<WarpClock> warps;
    std::vector<Time> between;  ///< [warp * warps + other], if barriers left warps out; else empty
    KnowledgePtr known;         ///< by all threads, brought by one of them to a barrier
    KnowledgePtr fenced;        ///< by sequential fences before the block's last barrier
    KnowledgePtr heard_fenced;  ///< from strong reads before it: for sequential fences after it
    std::vector<ThreadClock> threads;
    bool has_acquired = false;  ///< a thread has acquired anything through memory
    bool has_released = false;  ///< a thread has released anything; until then `threads` are empty
};

/// The scope of an operation: .cta, or .gpu and .sys.
enum class Reach : std::uint8_t { block, grid };

struct Fence {
    Reach reach = Reach::grid;
    /// fence.sc, membar: all of them are in one order (8.9.3, "Fence-SC"). A fence comes before another if a write
    /// after the first, possibly by way of a barrier, is read before the second, whichever thread wrote.
    bool sequential = false;
};

/// The ordering of a volatile, relaxed, acquire, release or atomic access.
struct StrongAccess {
    Reach reach = Reach::grid;
    bool acquires = false;
    bool releases = false;
    bool updates = false;          ///< atomically: earlier releases at the address stay in effect
    bool completes_phase = false;  ///< an arrival at an mbarrier
};

/// The knowledge that threads bring to a barrier and take from it.
struct Meeting {
    std::vector<Time> warps;  ///< by number; 0: did not arrive
    KnowledgePtr known;
    std::vector<KnowledgePtr> fenced;
    KnowledgePtr heard_fenced;  ///< by strong reads: for sequential fences after the barrier
};

class HappensBefore {
  public:
    [[nodiscard]] Time now() const { return now_; }
    void begin(BlockClock& clock, BlockId block, std::size_t warps) const;

    /// Whether the access of `other` of block `other_block` at `time` is ordered before the accesses that `thread` of
    /// `clock`'s block makes now.
    [[nodiscard]] bool ordered(const BlockClock& clock, unsigned thread, BlockId other_block, unsigned other,
                               Time time) const;
    /// Whether that operation on an mbarrier is ordered before what `thread` does now to the whole object: by the
    /// above, or because the lanes of the two exchanged values since. PTX promises no order by an exchange, but a warp
    /// issues its operations on an mbarrier in order, and libcu++ relies on it: where cuda::pipeline ends, a match
    /// elects one lane, which counts down for all and invalidates the mbarriers in the end.
    [[nodiscard]] bool operation_ordered(const BlockClock& clock, unsigned thread, BlockId other_block, unsigned other,
                                         Time time) const;

    /// Whether a release that carries this knowledge orders that access before what follows its acquire.
    [[nodiscard]] static bool covers(const KnowledgePtr& carried, BlockId block, unsigned thread, Time time);

    /// Threads arrive at a barrier; the threads of `meeting`, or all of the block if `complete` (then `waiting` is not
    /// asked), have met and continue.
    void arrive(BlockClock& clock, WarpId warp, LaneMask lanes, Meeting& meeting) const;
    void meet(BlockClock& clock, const std::vector<WarpId>& waiting, const Meeting& meeting, bool complete);
    /// Lanes synchronize by __syncwarp; `complete` if they are all live lanes.
    void meet_in_warp(BlockClock& clock, WarpId warp, LaneMask lanes, bool complete);
    /// Lanes exchange values by one instruction.
    void exchange(BlockClock& clock, WarpId warp, LaneMask lanes);

    /// fence, membar: PTX ISA 9.7.13.4.
    void fence(BlockClock& clock, WarpId warp, LaneMask lanes, Fence fence);

    void strong_write(BlockClock& clock, unsigned thread, std::uint64_t place, StrongAccess access);
    void strong_read(BlockClock& clock, unsigned thread, std::uint64_t place, StrongAccess access);
    /// The threads wait at an mbarrier and find their phase complete: they acquire what came with the arrivals until
    /// then, and nothing of the next phase.
    void phase_complete(BlockClock& clock, WarpId warp, LaneMask lanes, std::uint64_t place);

  private:
    [[nodiscard]] KnowledgePtr known_by(const BlockClock& clock, unsigned thread) const;
    void release(BlockClock& clock, unsigned thread, Reach reach) const;

    /// The knowledge that a read of an address acquires.
    struct Released {
        KnowledgePtr all;
        std::map<BlockId, KnowledgePtr> blocks;  ///< from its own
        KnowledgePtr complete;                   ///< of an mbarrier: what `blocks` had when a phase became complete
        KnowledgePtr fenced;  ///< from all, for threads that execute a sequential fence after the read
    };

    Time now_ = 1;
    std::unordered_map<std::uint64_t, Released> released_;  ///< by place
};

}  // namespace lanescope::execute
