// Executes cross-lane instructions: shuffles, votes, matches, reductions. PTX ISA 9.7.9.6, 9.7.13.9 to 9.7.13.12.
#pragma once

#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/recorder.h"
#include "execute/emulator/warp_sync.h"

namespace lanescope::execute {

class CrossLane {
  public:
    CrossLane(LaunchState& launch, const Recorder<AnyLevel>& recorder, const WarpSync& sync)
        : launch_(launch), code_(launch.code), recorder_(recorder), sync_(sync) {}

    void shuffle(const WarpStep& step) const;
    void vote(const WarpStep& step) const;
    void active_mask(const WarpStep& step) const;
    void match(const WarpStep& step) const;
    void reduce(const WarpStep& step) const;

  private:
    LaunchState& launch_;
    const Code& code_;
    const Recorder<AnyLevel>& recorder_;
    const WarpSync& sync_;
};

}  // namespace lanescope::execute
