// Executes one warp instruction at a time: selects the next, computes, counts, and hands each other instruction to the
// unit that executes it. The recording and the counting interpreter are the same code, compiled for each record level.
#pragma once

#include "execute/emulator/barriers.h"
#include "execute/emulator/builtins.h"
#include "execute/emulator/calls.h"
#include "execute/emulator/cross_lane.h"
#include "execute/emulator/launch_state.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/memory_unit.h"
#include "execute/emulator/recorder.h"
#include "execute/emulator/texture_unit.h"
#include "execute/emulator/warp_sync.h"

#include <cstdint>

namespace lanescope::execute {

template <class Level>
class Interpreter {
  public:
    explicit Interpreter(LaunchState& launch)
        : launch_(launch),
          code_(launch.code),
          recorder_(launch.writer, launch.code),
          memory_(launch, recorder_),
          textures_(launch, recorder_, memory_),
          unit_recorder_(launch.writer, launch.code, {Level::level}),
          sync_(launch),
          barriers_(launch, unit_recorder_, sync_),
          cross_lane_(launch, unit_recorder_, sync_),
          calls_(launch, unit_recorder_),
          builtins_(launch) {}
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    /// Executes the next instructions of each warp that is runnable, in order. Returns how many.
    unsigned turn(Block& block);
    /// With registers recorded, warps alternate at each instruction. Otherwise each executes several while its
    /// registers are in the cache.
    static constexpr unsigned steps_of_turn = Level::records_registers() ? 1 : 32;
    /// Executes one instruction of a runnable warp.
    void step(Block& block, Warp& warp) { run_one(block, warp); }

    /// No thread of the block can continue as it should. False: the block is deadlocked.
    [[nodiscard]] bool release_stuck(Block& block) { return barriers_.release_stuck(block); }

  private:
    /// Counts of instructions, summed up before they are added to the counts of an epoch.
    struct Issued {
        std::uint64_t warps = 0;
        std::uint64_t threads = 0;
        std::uint64_t active_threads = 0;
    };
    /// Executes up to `limit` instructions of a runnable warp. Returns how many.
    unsigned run(Block& block, Warp& warp, unsigned limit);
    /// The same for one instruction.
    void run_one(Block& block, Warp& warp);
    /// The same for an instruction outside of straight runs, the path's next; makes its step.
    void execute(Block& block, Warp& warp, const Micro& micro, Issued& issued);
    void execute_in_unit(const WarpStep& step);
    void note_barrier(const WarpStep& step);
    /// Executes `count` instructions, at most Micro::straight of the first, in `lanes`.
    void straight(Block& block, Warp& warp, Pc begin, unsigned count, LaneMask lanes);

    void compute(const WarpStep& step);
    void approximate(const WarpStep& step);
    void branch(const WarpStep& step);
    void branch_indexed(const WarpStep& step);
    void exit(const WarpStep& step);
    void clock(const WarpStep& step);

    LaunchState& launch_;
    const Code& code_;
    Recorder<Level> recorder_;
    MemoryUnit<Level> memory_;
    TextureUnit<Level> textures_;
    Recorder<AnyLevel> unit_recorder_;
    WarpSync sync_;
    Barriers barriers_;
    CrossLane cross_lane_;
    Calls calls_;
    Builtins builtins_;
};

extern template class Interpreter<FixedLevel<RecordLevel::counts>>;
extern template class Interpreter<FixedLevel<RecordLevel::accesses>>;
extern template class Interpreter<FixedLevel<RecordLevel::registers>>;

}  // namespace lanescope::execute
