// Checks the accesses of blocks for races and uninitialized reads. A block that is only followed is not checked, but
// passes on what other blocks release to it.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/faults.h"
#include "execute/emulator/guards.h"
#include "execute/emulator/happens_before.h"
#include "execute/emulator/held_races.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/shadow.h"
#include "execute/emulator/uninitialized_check.h"
#include "execute/emulator/warp_access.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::execute {

class AccessCheck {
  public:
    AccessCheck(const Code& code, Faults& faults);

    /// Starts a block that is checked or followed.
    void begin(Block& block);

    void access(const WarpAccess& access);
    /// The same in one step. False: nothing is done, and access() must check lane by lane.
    [[nodiscard]] bool words(const WordsAccess& access);

    [[nodiscard]] UninitializedCheck& uninitialized() { return uninitialized_; }

    void fence(const WarpStep& step);
    /// Executes Kind::await_copies.
    void await_copies(const WarpStep& step) const;
    void arrive(const WarpStep& step, std::uint32_t barrier);
    /// The barrier is complete.
    void meet(Block& block, std::uint32_t barrier);
    void meet_in_warp(Block& block, const Warp& warp, LaneMask lanes) {
        order_.meet_in_warp(block.clock, warp.id, lanes, (warp.control.live() & ~lanes).none());
    }

    /// Lanes exchange values by a shuffle, a vote, a match or a reduction.
    void exchange(Block& block, const Warp& warp, LaneMask lanes) {
        if (invalidates_) order_.exchange(block.clock, warp.id, lanes);
    }

    /// Whether the access of `other` of block `other_block` at `time` is ordered before what the thread does now.
    [[nodiscard]] bool ordered(const Block& block, unsigned thread, BlockId other_block, unsigned other,
                               Time time) const {
        return order_.ordered(block.clock, thread, other_block, other, time);
    }
    [[nodiscard]] Time now() const { return order_.now(); }

    /// The last write by a checked block of any of the bytes at an address of that space, in this launch.
    [[nodiscard]] std::optional<Accessor> last_write(Block& block, ptx::Space space, const Region& region,
                                                     std::uint64_t offset, unsigned bytes);

    /// The launch ends: reports races that are still held back.
    void end_launch() { held_.report_rest(); }

  private:
    /// An earlier access and its thread in the block.
    struct Earlier {
        const WarpRecord& record;
        unsigned thread;
    };
    /// One lane's part of a WarpAccess.
    struct LaneAccess {
        const WarpAccess& whole;
        unsigned lane;
        unsigned thread;
        std::uint64_t offset;
        const WarpRecord& record;
        Shadow::Ref own;
        Shadow& shadow;

        [[nodiscard]] Earlier earlier(Shadow::Ref ref) const {
            const WarpRecord& access = shadow.record(ref);
            return {.record = access, .thread = access.warp * warp_size + ref % warp_size};
        }
    };
    void synchronize(unsigned thread, const WarpAccess& access, std::uint64_t place);
    void note_guard(const WarpAccess& access, unsigned lane, const WarpRecord& record);
    void arrive_at_mbarrier(const WarpAccess& access, WarpRecord& record, Shadow* shadow);
    void wait_at_mbarrier(const WarpAccess& access, WarpRecord& record, Shadow* shadow);
    Shadow& shadow_of(Block& block, ptx::Space space, const Region& region);
    void describe(WarpRecord& record, const WarpStep& step, const MemoryAccess& access);
    [[nodiscard]] bool is_clearly_ordered(const WarpAccess& access, Shadow::Ref own, Shadow& shadow) const;
    [[nodiscard]] bool scattered(const WarpAccess& access, const WarpRecord& record, Shadow::Ref own, Shadow& shadow);
    void check(const WarpAccess& access, unsigned lane, const WarpRecord& record, Shadow::Ref own, Shadow& shadow);
    /// The report on a lane's access, ascending: a fault replaces a remark.
    enum class Race : std::uint8_t {
        none,
        of_one_value,  ///< both write the same: the result does not depend on their order
        any,
    };
    void check_cell(const LaneAccess& lane, const Shadow::Cell& cell, Race& reported);
    [[nodiscard]] Race races(const LaneAccess& lane, Shadow::Ref ref, bool both_write) const;
    [[nodiscard]] bool same_value(const LaneAccess& lane, const Earlier& earlier) const;
    void keep_weaker(const LaneAccess& lane, const Shadow::Cell& cell) const;
    void remember_read(const LaneAccess& lane, const Shadow::Cell& cell) const;
    [[nodiscard]] static Accessor accessor_of(const LaneAccess& lane, const Earlier& accessor, bool writes);
    void remark_race(const LaneAccess& lane, const Earlier& accessor);
    bool report_race(const LaneAccess& lane, const Earlier& accessor, bool earlier_writes, bool now_writes);
    void settle_held_race(const LaneAccess& lane);
    void note_swap(const LaneAccess& lane);

    const Code& code_;
    Faults& faults_;
    UninitializedCheck uninitialized_;
    HappensBefore order_;
    bool swaps_;        ///< the kernel has compare-and-swaps
    bool invalidates_;  ///< the kernel has mbarrier.inval
    HeldRaces held_;
    Guards guards_;
    /// The last compare-and-swap that wrote a place: those that fail are writes to the shadow, too.
    struct Swap {
        BlockId block;
        unsigned thread = 0;
        Pc pc = no_pc, blamed = no_pc;
        std::uint32_t serial = 0;
    };
    std::unordered_map<std::uint64_t, Swap> swapped_;
    /// By place and thread: the initialization of an mbarrier that its last incomplete wait was checked against.
    std::map<std::pair<std::uint64_t, unsigned>, std::uint32_t> waited_;
    std::map<const Region*, Shadow> global_;
    const Region* last_region_ = nullptr;  ///< the region of the last access, and its shadow
    Shadow* last_shadow_ = nullptr;
    std::vector<bool> has_line_;  ///< by instruction: whether its source line is known
    std::uint32_t unrecorded_accesses_ = 0;
};

}  // namespace lanescope::execute
