// Branches on a condition of the data -> the way that each lane is on, and what its condition decides: which values
// move or stay, and which become flags.
#pragma once

#include "analysis/dataflow/way_reader.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

/// Registers and cells that are 0 on one way and 1 on the other, and written on this one.
struct WayFlags {
    std::vector<RegisterId> registers;  ///< of the function
    bool cells = false;
};

/// Which way a lane took at its latest branch on a condition of the data, until the ways meet.
struct Way {
    ValueId test;                             ///< the comparison of two values of the data; invalid: none
    const ptx::Function* function = nullptr;  ///< null: the lane is on no way
    std::uint32_t past = ptx::no_instruction;
    bool once = false;  ///< no path leads back to the branch
    WayFlags flags;
};

class BranchWays {
  public:
    BranchWays(ValueGraph& values, Lineages& lineages, const LearnedAddresses& addresses, TracedMemory& memory)
        : values_(values), lineages_(lineages), addresses_(addresses), memory_(memory) {}

    void begin_launch(std::size_t blocks, std::size_t threads) { ways_.begin_launch(blocks, threads); }

    /// The step's active lanes execute a guarded branch; those in `taken` jump.
    void branch(const FlowStep& step, LaneMask taken);
    /// The step's instruction has a guard and is no branch: it is a way of its own.
    void guard(const FlowStep& step);
    /// Lanes that return, or arrive where the ways of their branch meet, are on no way any more.
    void leave(const FlowStep& step);
    /// Did any lane branch on the data so far?
    [[nodiscard]] bool any() const { return any_; }

    /// The way that the lane is on where it executes the step.
    [[nodiscard]] Way way_of(const FlowStep& step, unsigned lane) const;
    /// Is the lane on the way of a branch that is not in a loop?
    [[nodiscard]] bool once(const FlowStep& step, unsigned lane) const;
    /// Do several instructions of the step's function write the register? Its value then depends on the way.
    [[nodiscard]] bool merges(const FlowStep& step, RegisterId own) { return regions_.merges(step.function(), own); }

  private:
    /// The predicate that guards the step's instruction, where it is a condition on the data; otherwise invalid.
    [[nodiscard]] ValueId guarding(const FlowStep& step, unsigned lane) const;
    [[nodiscard]] const Way* innermost(const FlowStep& step, unsigned lane) const;
    WayFlags decide(const FlowStep& step, unsigned lane, ValueId predicate,
                    const std::array<std::span<const std::uint32_t>, 2>& ways, std::span<const RegisterId> not_written,
                    bool second_taken, bool once);
    WayFlags flags_of(const FlowStep& step, unsigned lane, ValueId test, const WayMoves& own, const WayMoves& other);

    ValueGraph& values_;
    Lineages& lineages_;
    const LearnedAddresses& addresses_;
    TracedMemory& memory_;
    BranchRegions regions_;
    PerThread<std::vector<Way>> ways_;  ///< outermost first
    bool any_ = false;
};

}  // namespace lanescope::analysis
