// Executes the barriers of a block (PTX ISA 9.7.13.1). Threads are counted, not warps: a barrier is complete when every
// thread that has not exited is there, so an early return is not a fault.
#pragma once

#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/recorder.h"
#include "execute/emulator/warp_sync.h"

namespace lanescope::execute {

class Barriers {
  public:
    Barriers(LaunchState& launch, const Recorder<AnyLevel>& recorder, WarpSync& sync)
        : launch_(launch), code_(launch.code), recorder_(recorder), sync_(sync) {}

    /// bar, barrier.
    void execute(const WarpStep& step);
    /// The common __syncthreads(): barrier 0, executed by all lanes of the path.
    void arrive_together(const WarpStep& step);
    /// Lanes of the warp have exited: other threads may be waiting for them.
    void release_after_exit(Block& block, Warp& warp, LaneMask exited);
    /// No thread of the block can continue as it should: threads that wait for others which never arrive continue, with
    /// a finding. False if there are none: the block is deadlocked.
    [[nodiscard]] bool release_stuck(Block& block);

  private:
    void complete(Block& block, std::uint32_t number);
    void release(Block& block, std::uint32_t number);
    void reduce(Block& block, std::uint32_t number);
    [[nodiscard]] bool reached_in_several_places(const Block& block, std::uint32_t number) const;
    [[nodiscard]] bool leave_branches(Block& block);

    LaunchState& launch_;
    const Code& code_;
    const Recorder<AnyLevel>& recorder_;
    WarpSync& sync_;
};

}  // namespace lanescope::execute
