// One period of a loop that cannot end, as one thread executes it: its lines, how it could be left, and the memory that
// it waits for.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/machine.h"
#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::execute {

/// The observations, instruction by instruction.
class LoopPeriod {
  public:
    struct Read {
        Pc pc = no_pc;
        ptx::Space space = ptx::Space::none;  ///< shared or global
        std::uint64_t address = 0;            ///< in that space
        unsigned bytes = 0;
        bool barrier_object = false;  ///< an mbarrier
        bool strong = false;          ///< volatile, atomic
    };

    /// `warp`: in the loop. The thread is the lowest of its current path.
    LoopPeriod(const Code& code, const Warp& warp);

    /// The warp is about to execute the instruction.
    void before(Pc pc, const Warp& warp);
    /// The warp has executed it, as that step of the trace.
    void recorded(Pc pc, StepId step);

    [[nodiscard]] unsigned lane() const { return lane_; }
    [[nodiscard]] bool executed(Pc pc) const { return pc < executed_.size() && executed_[pc]; }
    [[nodiscard]] const std::vector<Read>& reads() const { return reads_; }
    [[nodiscard]] std::optional<StepId> step_of(Pc pc) const;

  private:
    const Code& code_;
    unsigned lane_ = 0;
    std::vector<bool> executed_;
    std::vector<StepId> steps_;  ///< the last one of each instruction; invalid: none
    std::vector<Read> reads_;    ///< the last one of each instruction
};

/// A loop, from its first instruction to the branch that leads back.
struct Loop {
    Pc back = no_pc;                              ///< no_pc: not found
    std::uint32_t first_line = 0, last_line = 0;  ///< of the source; 0: unknown
    std::optional<Pc> exit;  ///< a branch that could leave it, or that leads past what could; none: nothing does
    std::optional<LoopPeriod::Read> waits_for;  ///< the read on which that depends
    /// Widens the lines to that one; 0: none.
    void hold(std::uint32_t line);
};
[[nodiscard]] Loop loop_in(const Code& code, const LoopPeriod& period);

}  // namespace lanescope::execute
