// Which lanes of one warp execute, and what the others wait for: the warp's divergence, warp synchronization by lane
// masks, and spinning. The only owner of all three.
//
// Instructions with a mask (bar.warp.sync, shfl.sync, vote.sync, match.sync, redux.sync; PTX ISA 9.7.9.6, 9.7.13.2,
// 9.7.13.9 to 9.7.13.12) wait until every lane of the mask that has not exited executes one with the same mask. In most
// cases all have arrived already. If not, a path waits, and all execute together when the rest arrives. If the rest
// never arrives, the mask is wrong: that is reported, and the waiting paths continue alone.
//
// A loop that reads memory which other threads may write, and writes nothing itself, spins. After some iterations its
// path yields (PTX ISA 3.1, independent thread scheduling).
#pragma once

#include "execute/simt/divergence.h"

#include <array>
#include <cstdint>
#include <vector>

namespace lanescope::execute {

/// Why a path waits (Divergence::wait): a block barrier's number (PTX ISA 9.7.13.1 has 16), or for lanes of its warp.
inline constexpr unsigned barrier_count = 16;
inline constexpr std::uint32_t waits_for_warp = barrier_count;

/// The kernel's instructions, as warp synchronization needs them.
class SyncSites {
  public:
    SyncSites() = default;
    SyncSites(const SyncSites&) = delete;
    SyncSites& operator=(const SyncSites&) = delete;
    virtual ~SyncSites() = default;

    /// Whether the instruction is bar.warp.sync, which also orders memory.
    [[nodiscard]] virtual bool is_barrier(Pc pc) const = 0;
    /// Whether lanes that wait on one path count as arrived for lanes that wait on the other.
    [[nodiscard]] virtual bool meet(const Divergence& divergence, const Divergence::Waiting& path,
                                    const Divergence::Waiting& other) const = 0;
    /// Whether lanes that continue at `from` may reach an instruction at which they count as arrived for lanes waiting
    /// at `pc`.
    [[nodiscard]] virtual bool leads_to(Pc from, Pc pc) const = 0;
    /// Whether an instruction only leads to the end of the kernel.
    [[nodiscard]] virtual bool only_exits(Pc pc) const = 0;
};

class WarpControl : public Divergence {
  public:
    void start(LaneMask lanes, Pc pc);

    // Warp synchronization. `masks`: a mask for each lane; those of `executed` count.

    /// Whether `executed` of the current path execute an instruction with masks at once, the common case: one mask
    /// names exactly these lanes.
    [[nodiscard]] bool all_are_here(LaneMask executed, const std::uint32_t* masks) const {
        const LaneMask first(masks[executed.lowest()]);
        std::uint32_t different = 0;
        for (const unsigned lane : executed) different |= masks[lane] ^ first.bits();
        return different == 0 && (first & live()) == executed && released_.none();
    }
    struct Arrival {
        bool executes = false;  ///< now; else the path waits, and arrives again when it is released
        LaneMask foreign;       ///< lanes that execute with a mask that does not name them
    };
    /// `executed` of the current path arrive at an instruction with masks.
    [[nodiscard]] Arrival arrive_at_sync(LaneMask executed, const std::uint32_t* masks);

    /// A mask that named lanes which do not arrive.
    struct Absence {
        Waiting path;
        LaneMask mask;
        LaneMask absent;
        LaneMask there;  ///< absent lanes that wait at such an instruction with another mask
    };
    struct Release {
        std::vector<Absence> absences;
        /// Groups of lanes that meet at a barrier and whose paths then continue one after the other.
        std::vector<LaneMask> meetings;
    };
    /// Paths whose masks' lanes have all arrived execute their instruction, together if they are at the same one.
    /// `exited`: lanes that have just exited. Lanes released early were expected to arrive: if they exit, they are
    /// absent.
    [[nodiscard]] Release release_complete(const SyncSites& sites, LaneMask exited);
    /// No thread of the block can continue: all paths that wait for lanes continue without them.
    [[nodiscard]] std::vector<Absence> release_incomplete(const SyncSites& sites);
    /// No thread of the block can continue: lanes at a reconvergence point continue without those still on their way,
    /// if that may lead them to an instruction at which others wait for them. (CUDA does not make lanes wait there.)
    /// False: there are no such lanes.
    bool release_early(const SyncSites& sites);

    // Spinning.

    /// Notes that the branch at `pc` leads back; a path that has spun for long enough yields.
    void turn_back(Pc pc);
    /// The loop reads memory that other threads may write.
    void poll() { polled_ = true; }
    /// The loop changes memory.
    void progress() { progressed_ = true; }
    [[nodiscard]] bool spins() const { return idle_iterations_ >= patience; }
    /// Whether all lanes continue as those of `other` would. How long a path has spun is left out.
    [[nodiscard]] bool continues_as(const WarpControl& other) const {
        return Divergence::continues_as(other) && masks_ == other.masks_ && released_ == other.released_ &&
               released_early_ == other.released_early_;
    }
    /// The last branch that led back; no_pc: there was none.
    [[nodiscard]] Pc loop() const { return loop_; }

  private:
    static constexpr unsigned patience = 8;  ///< idle iterations before a path yields

    [[nodiscard]] LaneMask mask_of(const Waiting& path) const;
    [[nodiscard]] LaneMask waiting_with(const SyncSites& sites, const Waiting& path) const;
    [[nodiscard]] LaneMask absent_for(const SyncSites& sites, const Waiting& path) const;
    [[nodiscard]] LaneMask with_same_mask(LaneMask lanes, unsigned lane) const;

    std::array<std::uint32_t, warp_size> masks_{};  ///< of waiting lanes
    LaneMask released_;                             ///< lanes that need not wait again before they execute
    LaneMask released_early_;  ///< released lanes that have not yet reached the instruction where others wait for them
    Pc loop_ = no_pc;
    bool polled_ = false;      ///< since the last branch that led back
    bool progressed_ = false;  ///< the same for changes
    unsigned idle_iterations_ = 0;
};

}  // namespace lanescope::execute
