// Looks over the shoulder of the blocks it is told to check: is what they read written, and is what they share ordered?
// Blocks that are only followed are not checked themselves, but pass on what others released to them.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/faults.h"
#include "execute/emulator/happens_before.h"
#include "execute/emulator/held_races.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/shadow.h"
#include "execute/simt/targets.h"

#include <map>
#include <span>

namespace lanescope::execute {

/// One warp's access, before it happens: lanes in one region.
struct WarpAccess {
    const Micro& micro;
    const MemoryAccess& access;
    const Region& region;
    ptx::Space space;
    const Targets& targets;
    LaneMask executed;  ///< lanes of the instruction, those in other regions too
    /// Of stores what is written, of compare-and-swaps what is compared with: [element * 32 + lane], cut to the element's bytes.
    std::span<const std::uint64_t> stored;
};

class AccessCheck {
  public:
    AccessCheck(const Code& code, Faults& faults);

    /// A block starts that is checked or followed.
    void begin(Block& block);

    void access(Block& block, const Warp& warp, const WarpAccess& access);

    void fence(Block& block, const Warp& warp, const Micro& micro, LaneMask lanes);
    void arrive(Block& block, const Warp& warp, LaneMask lanes, std::uint32_t barrier);
    /// The barrier's threads go on.
    void meet(Block& block, std::uint32_t barrier);
    void meet_in_warp(Block& block, const Warp& warp, LaneMask lanes) {
        order_.meet_in_warp(block.clock, warp.id, lanes, (warp.paths.live() & ~lanes).none());
    }

    /// The launch ends: what was not clear until then is told.
    void end_launch() { held_.report_rest(); }

  private:
    /// One lane's part of a WarpAccess.
    struct LaneAccess {
        const Block& block;
        const Warp& warp;
        const WarpAccess& whole;
        unsigned lane;
        std::uint64_t offset;
        AccessRecord record;
    };
    void check_local(Block& block, const Warp& warp, const WarpAccess& access) const;
    void synchronise(Block& block, unsigned thread, const WarpAccess& access, std::uint64_t place);
    void check(LaneAccess& lane, Shadow& shadow);
    void check_cell(LaneAccess& lane, ShadowCell& cell, bool& told);
    [[nodiscard]] bool races(const LaneAccess& lane, const AccessRecord& earlier, bool both_write) const;
    [[nodiscard]] bool same_value(const LaneAccess& lane, const AccessRecord& earlier) const;
    void remember_read(const LaneAccess& lane, ShadowCell& cell) const;
    bool report_race(const LaneAccess& lane, const AccessRecord& earlier, bool earlier_writes, bool writes);
    void settle_held_race(const Block& block, unsigned thread, unsigned lane, const WarpAccess& access, Pc blamed);
    [[nodiscard]] std::uint64_t address_of(const LaneAccess& lane) const;

    const Code& code_;
    Faults& faults_;
    HappensBefore order_;
    bool swaps_;  ///< the kernel has compare-and-swaps
    HeldRaces held_;
    std::map<const Region*, Shadow> global_;
    std::uint32_t unrecorded_accesses_ = 0;
};

}  // namespace lanescope::execute
