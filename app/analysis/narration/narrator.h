// The parts that all sentences about a step share: the step, its example lane, and the words for both.
#pragma once

#include "analysis/block_view.h"
#include "analysis/expressions/formula.h"
#include "analysis/source/display_names.h"

#include <optional>
#include <string>
#include <string_view>

namespace lanescope::analysis {

/// The example lane: the requested one, if it takes part; otherwise the second useful one, whose indices are not all 0
/// as the first one's are.
[[nodiscard]] unsigned choose_lane(const trace::Step& step, LaneMask useful, unsigned wanted = warp_size);

/// One step of a block, about to be described. `index` is not past the end.
class Narrator : public BlockView {
  public:
    Narrator(const BlockView& block, std::size_t index, unsigned lane);

    const std::size_t index;
    const StepId id;
    const trace::Step& step;
    const InstructionInfo* const line;  ///< nullptr: the module does not know the line
    unsigned lane;                      ///< the example; executes, if any does
    FormulaFinder formulas;

    /// Blocks wider than a warp number their threads, others their lanes.
    [[nodiscard]] bool wide() const;
    /// "Lane 8", "Thread 40"
    [[nodiscard]] std::string actor() const;
    /// "lanes 0 and 8", "lane 3", "5 lanes"; threads where the block is wide.
    [[nodiscard]] std::string lanes_named(LaneMask lanes) const;
    /// "all 16 lanes", "all 32 lanes of warp 1" when `lanes` is every thread of the warp that has not exited; otherwise
    /// lanes_named().
    [[nodiscard]] std::string group_named(LaneMask lanes) const;
    /// "none of the 16 lanes", "none of warp 1's 32 lanes"
    [[nodiscard]] std::string none_of(LaneMask lanes) const;
    /// The warp's lanes that have a thread.
    [[nodiscard]] LaneMask lanes_of_warp() const;
    /// The state of the warp's lanes that do not execute the step: "lanes 16 to 31 wait at the barrier", "14 of 16
    /// lanes wait". Empty where all execute it.
    [[nodiscard]] std::string idle_lanes() const;
    /// "all 16 lanes take part"
    [[nodiscard]] std::string all_take_part() const;

    [[nodiscard]] const ptx::Instruction& instruction() const { return *line->instruction; }
    /// "sdata[12] = 13"; of a value that was not loaded, "13", or "the address of in[3]".
    [[nodiscard]] std::string described(ValueId value) const;
    [[nodiscard]] std::string number(ValueId value) const { return number_of(trace, provenance, value); }
    /// The value of source register `reg`; invalid when nothing wrote it.
    [[nodiscard]] ValueId held(RegisterId reg) const;
    [[nodiscard]] const trace::Effect* effect(trace::EffectKind kind) const;

    /// The function that a call calls; "a function" where only its address is known.
    [[nodiscard]] std::string callee_of(const ptx::Instruction& call) const;
    /// The instruction that control reaches from `instruction`, an index in the step's function, past plain jumps.
    [[nodiscard]] std::uint32_t past_jumps(std::uint32_t instruction) const;
    /// The place of that instruction: "the barrier", "line 11", "the end".
    [[nodiscard]] std::string destination(std::uint32_t instruction) const;
    /// The source's text there, ": sdata[tid] = in[i];", where it is known, fits a sentence and is not the step's own
    /// line.
    [[nodiscard]] std::string quoted(std::uint32_t instruction) const;

  private:
    [[nodiscard]] std::string waiting(LaneMask others) const;
};

/// "Sentence." from "sentence": the first letter capitalized unless the word is the source's, and a full stop.
[[nodiscard]] std::string sentence(std::string text);

// Each describes the step, without the pass, the cost and the idle lanes before it.
[[nodiscard]] std::string describe_memory(const Narrator& narrator);  ///< loads, stores, atomics
/// "8 wavefronts: 4 banks, 8 words in each", "16 sectors where 4 would do", "6 lanes meet at bins[1]"; empty where the
/// access takes no more than the least, and for all other instructions.
[[nodiscard]] std::string describe_cost(const Narrator& narrator);
[[nodiscard]] std::string describe_compute(const Narrator& narrator);  ///< arithmetic, copies, comparisons, selects
/// Shuffles, votes, reductions over the warp, barriers with a result; `result`: the lane's.
[[nodiscard]] std::string describe_collective(const Narrator& narrator, ValueId result);
[[nodiscard]] std::string describe_sync(const Narrator& narrator);  ///< barriers, fences, copies in the background
[[nodiscard]] std::string describe_control(
    const Narrator& narrator);  ///< branches, calls, exit; the rest by describe_sync()

/// A phrase of ptx/meanings.inc with its places filled: {0}, {1}, ... by the source operands, {r} by the result. An
/// operand that the instruction does not have reads "a value".
[[nodiscard]] std::string filled(std::string_view phrase, const std::vector<std::string>& operands,
                                 const std::string& result);

// From a predicate to its condition, as the source would write it (condition.cpp).

struct Condition {
    std::string text;       ///< "tid % 8 == 0"; "s < blockDim.x, 4 < 16," where all lanes agree on both sides
    bool inverted = false;  ///< the predicate holds where the text does not
};

/// The text of a condition that is not known.
inline constexpr std::string_view unknown_condition = "the condition";

/// Does the step copy the constant true or false to a predicate? `a && b` and `a || b` begin with it, before either is
/// known.
[[nodiscard]] bool copies_constant(const Narrator& narrator);

/// The value of predicate `reg` (as the trace numbers it; negated: !reg) before the narrator's step, traced back
/// through negations to the comparison. Where several branches gave it to the lanes, as in `a && b || c`, all
/// comparisons that decided it. Without `numbers` a comparison has only its names.
[[nodiscard]] Condition condition_of(const Narrator& narrator, RegisterId reg, bool negated, bool numbers = true);

/// The comparison that the block's step number `index` makes; nothing where it makes no plain comparison.
[[nodiscard]] std::optional<std::string> comparison_of(const Narrator& narrator, std::size_t index);

}  // namespace lanescope::analysis
