// Executes loads, stores and atomics: finds the lanes' regions, checks, counts and moves. The common access lies in one
// region and is checked as a whole; any other is executed lane by lane, so that every fault names its lane.
#pragma once

#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/memory_moves.h"
#include "execute/emulator/recorder.h"
#include "execute/emulator/warp_access.h"

namespace lanescope::execute {

template <class Level>
class MemoryUnit {
  public:
    MemoryUnit(LaunchState& launch, const Recorder<Level>& recorder)
        : launch_(launch), code_(launch.code), recorder_(recorder), moves_(launch, recorder) {}

    void access(const WarpStep& step);
    /// cp.async
    void copy(const WarpStep& step);
    /// An access of a texture or surface: of the global memory that it is in, whose sectors are not counted.
    void access_texels(const WarpStep& step, const MemoryAccess& access);
    /// The lanes' results of the access become 0.
    void read_nothing(Warp& warp, const MemoryAccess& access, LaneMask lanes);

  private:
    bool access_words(const WarpStep& step, const MemoryAccess& access, const AddressRow& addresses, ptx::Space space);
    bool find_piece(const WarpStep& step, const MemoryAccess& access, ptx::Space space, const AddressRow& addresses,
                    LaneMask lanes, Piece& piece);
    void access_lane_by_lane(const WarpStep& step, const MemoryAccess& access, const AddressRow& addresses,
                             bool counted = true);
    void access_piece(const WarpStep& step, const MemoryAccess& access, Piece& piece, const AddressRow& addresses);
    void load_parts(const WarpStep& step, LaneMask lanes);
    bool note_global(const WarpStep& step, const MemoryAccess& access, const Piece& piece);
    void note_read(const WarpStep& step, const MemoryAccess& access, const Piece& piece) const;
    void check_array(const WarpStep& step, const MemoryAccess& access, const Piece& piece);
    void count(const WarpStep& step, const Piece& piece, bool first_of_space);

    LaunchState& launch_;
    const Code& code_;
    const Recorder<Level>& recorder_;
    MemoryMoves<Level> moves_;
};

extern template class MemoryUnit<FixedLevel<RecordLevel::counts>>;
extern template class MemoryUnit<FixedLevel<RecordLevel::accesses>>;
extern template class MemoryUnit<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
