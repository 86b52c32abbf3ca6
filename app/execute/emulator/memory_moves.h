// Moves values between a warp's registers and memory once the lanes' addresses are checked, and records them.
#pragma once

#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/recorder.h"
#include "execute/emulator/warp_access.h"

namespace lanescope::execute {

template <class Level>
class MemoryMoves {
  public:
    MemoryMoves(LaunchState& launch, const Recorder<Level>& recorder) : launch_(launch), recorder_(recorder) {}

    /// A load, store or atomic of the lanes in `piece`. `addresses`: theirs, as the trace names them.
    void move(const WarpStep& step, const MemoryAccess& access, Piece& piece, const LaneAddresses& addresses);

  private:
    void load(Warp& warp, const MemoryAccess& access, const Piece& piece);
    void load_replayed(const WarpStep& step, const MemoryAccess& access, const Piece& piece,
                       const LaneAddresses& addresses);
    void store(Warp& warp, const MemoryAccess& access, Piece& piece);
    void atomic(const WarpStep& step, const MemoryAccess& access, Piece& piece, const LaneAddresses& addresses);
    void wait_at_mbarrier(const WarpStep& step, const MemoryAccess& access, const Piece& piece,
                          const LaneAddresses& addresses);
    void set_results(Warp& warp, const MemoryAccess& access, LaneMask lanes,
                     const std::array<std::uint64_t, warp_size>& results, LaneMask input_dependent) const;
    void note_change(Warp& warp, const MemoryAccess& access, const Piece& piece) const;

    LaunchState& launch_;
    const Recorder<Level>& recorder_;
};

extern template class MemoryMoves<FixedLevel<RecordLevel::counts>>;
extern template class MemoryMoves<FixedLevel<RecordLevel::accesses>>;
extern template class MemoryMoves<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
