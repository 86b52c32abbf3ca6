// The position of every warp of a block: the step it executed last, the step it executes next, the warps it waits for.
// The Warps and Source panels mark them.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// The steps of a block, warp by warp. Positions and results are numbers in BlockPasses::steps: at position p, the p
/// first steps have executed.
class WarpProgress {
  public:
    WarpProgress() = default;
    explicit WarpProgress(const BlockView& block);

    [[nodiscard]] std::size_t warps() const { return courses_.size(); }
    /// The warp's next step; nothing where it executes no more.
    [[nodiscard]] std::optional<std::size_t> next(WarpId warp, std::size_t position) const;
    /// The warp's last step; nothing where it has executed none.
    [[nodiscard]] std::optional<std::size_t> last(WarpId warp, std::size_t position) const;
    /// The warps that have not arrived at the barrier where this one waits; nothing where it does not wait at one.
    /// Empty where it is the last to arrive, or where no other warp ever arrives.
    [[nodiscard]] std::optional<std::vector<WarpId>> waits_for(WarpId warp, std::size_t position) const;

  private:
    struct Arrival {
        std::size_t step = 0;
        std::uint32_t barrier = 0;
    };
    struct Course {
        std::vector<std::size_t> steps;
        std::vector<Arrival> arrivals;
    };
    std::vector<Course> courses_;
};

/// Warps at one line of the PTX.
struct WarpsAtLine {
    PtxLine line;
    std::size_t step = 0;  ///< of the first of them, a number in BlockPasses::steps
    std::vector<WarpId> warps;
    bool waiting = false;  ///< they wait at a barrier on that line; false: they execute it next
};
/// At a position, by line in the order of the warps; without warp `except` and without warps that have ended.
[[nodiscard]] std::vector<WarpsAtLine> warps_by_line(const BlockView& block, const WarpProgress& progress,
                                                     std::size_t position, WarpId except);

/// The step where a lane executes the instruction on that line of PTX for the time `nth` (from 0); the last such step
/// where there are fewer, nothing where there is none. A number in BlockPasses::steps.
[[nodiscard]] std::optional<std::size_t> execution_of(const BlockView& block, WarpId warp, unsigned lane, PtxLine line,
                                                      std::uint64_t nth);

/// Consecutive instructions of one warp that come from one line of the source and are executed by the same lanes. The
/// two sides of a branch are two runs.
struct InstructionRow {
    std::size_t first = 0, last = 0;  ///< steps, numbers in BlockPasses::steps; other warps' steps may be in between
    unsigned instructions = 0;
    std::uint32_t source_line = 0;  ///< 0: compiler-generated
    PtxLine line;                   ///< of the first
    LaneMask executed;              ///< lanes that execute all of them
    LaneMask useful;                ///< lanes of `executed` with a result that reaches an output, or may
    LaneMask unknown;               ///< lanes of `useful` whose results all have unknown uses (Provenance::unknown_use)
    LaneMask predicated_off;        ///< active, but the guard is false
    LaneMask inactive;              ///< at another instruction, waiting to reconverge
    LaneMask exited;
};

/// The warp's instructions in a pass, in order: one instruction a row, or those of a source line together.
[[nodiscard]] std::vector<InstructionRow> instruction_rows(const BlockView& block, PassId pass, WarpId warp,
                                                           bool by_line);

}  // namespace lanescope::analysis
