// The blocks of one launch, from the first to the last: some at a time, in turns, one instruction of each warp a turn.
#pragma once

#include "base/progress.h"
#include "execute/emulator/emulator.h"
#include "execute/emulator/interpreter.h"
#include "execute/emulator/machine.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::execute {

class Grid {
  public:
    /// `record_blocks`: how many of the first to record. `budget`: warp instructions left to the whole program.
    Grid(LaunchState& state, const LaunchRequest& request, const Limits& limits, std::uint64_t record_blocks,
         std::uint64_t& budget);

    enum class End : std::uint8_t {
        complete,
        stopped,  ///< trap, deadlock, budget: what cannot go on; a finding says why
        cancelled,
        too_much,  ///< more would be recorded than Limits::record_bytes allows
    };
    /// `done` and `total` blocks of the whole program, for the progress.
    [[nodiscard]] End run(Progress& progress, std::uint64_t& done, std::uint64_t total);

    /// Blocks whose record is complete.
    [[nodiscard]] std::uint64_t recorded() const { return recorded_; }

  private:
    enum class Turn : std::uint8_t { goes_on, finished, stuck };

    void start(Block& block, std::uint64_t index);
    void start_warp(Block& block, Warp& warp);
    Turn turn(Block& block);

    LaunchState& state_;
    const LaunchRequest& request_;
    const Limits& limits_;
    std::uint64_t record_blocks_;
    std::uint64_t& budget_;
    std::uint64_t recorded_ = 0;
    Interpreter<true> recorder_;
    Interpreter<false> counter_;
    std::vector<std::unique_ptr<Block>> resident_;
};

}  // namespace lanescope::execute
