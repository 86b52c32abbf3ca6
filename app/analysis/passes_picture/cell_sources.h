// The cells of the Passes picture that a stored value came from, found by going back through registers and local
// memory.
#pragma once

#include "analysis/block_view.h"
#include "analysis/passes_picture/columns.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

// Values that travel in registers (lane_cells.cpp): which value each thread holds while the lanes exchange them, as if
// every thread had a cell of its own.

/// A thread's value changes.
struct LaneEvent {
    ValueId value;             ///< a register of the thread
    std::uint32_t thread = 0;  ///< linear in the block
    StepId at;                 ///< the step that made it; for an older value that is taken up again, the exchange
};

/// In the order of their steps. A thread's value is what it gives to a shuffle or a reduction over the warp, and what
/// it makes of the value that the last exchange of a pass brought: an operator's result or, where the warp combines
/// nothing, the brought value itself. In a pass without an exchange, it is what operators make of the value that the
/// thread holds. Copies stand for what they copy. Empty where no lanes exchange values.
[[nodiscard]] std::vector<LaneEvent> lane_events(const BlockView& block);

/// The value that this one copies, through registers and what functions are passed; itself if it is no copy. A value
/// read from memory or from another lane is a value of its own.
[[nodiscard]] ValueId past_register_copies(const trace::Trace& trace, const Provenance& provenance, ValueId value);

/// A cell's value is one that was stored to memory with columns or, where lanes exchange values, one that a thread
/// holds. Call the functions in the order of steps, and hold() for every change of a cell.
class CellSources {
  public:
    CellSources(const BlockView& block, std::span<const LaneEvent> lanes, GlobalCells global);

    /// A cell that a value came from.
    struct Found {
        ValueId value;  ///< the cell's
        StepId reader;  ///< the instruction that read it; invalid where a register had kept the cell's value
    };
    struct Sources {
        std::span<const Found> cells;    ///< each once, in the order of the operands; valid until the next call of of()
        std::span<const ValueId> older;  ///< values that global memory had before the block began; valid as long
        bool combines = false;           ///< there is an operation on the way
        bool global = false;             ///< a value came from global memory, but not through a cell
    };
    /// The origin of `stored`, about to be put into a cell in the pass that begins at `pass_begin`.
    [[nodiscard]] Sources of(ValueId stored, StepId pass_begin);

    /// The elements of global memory that are no cells and that `stored` was made of, but not through a cell: each
    /// once, by age.
    [[nodiscard]] std::vector<ValueId> elements_of(ValueId stored) const;

    /// The cell of `before` (invalid: it had no value) takes `value` in step `now`.
    void hold(ValueId value, ValueId before, StepId now);
    /// The newest step that reads the cell's value, or a copy of it; invalid if none does.
    [[nodiscard]] StepId last_read(ValueId value) const { return covers(value) ? last_read_[at(value)] : StepId{}; }
    /// Was the value created while the block ran? With all of global memory as cells, earlier values count, too.
    [[nodiscard]] bool covers(ValueId id) const { return id.value >= first_ && id.value - first_ < origins_.size(); }

  private:
    /// The contents of the path from a value back to its cells.
    struct Origins {
        bool cells = false;     ///< cells
        bool global = false;    ///< global memory
        bool combines = false;  ///< an operation
        bool lane = false;      ///< a value that a thread holds, which is a cell itself
    };
    /// A value on the way back from a stored value.
    struct Hop {
        ValueId value, made;    ///< `made` was made of `value`
        bool combined = false;  ///< between `value` and what is stored
    };

    void learn();
    void spread_reads();
    void push_parents(ValueId of, bool combined);
    [[nodiscard]] std::size_t at(ValueId id) const { return id.value - first_; }
    [[nodiscard]] bool is_cell(ValueId id) const;
    /// Did a cell hold the value when `reader` executed? Lanes of one instruction read before any of them writes.
    [[nodiscard]] bool held_at(ValueId value, StepId reader) const;

    BlockView block_;
    GlobalCells global_;

    // By value, from first_.
    std::uint32_t first_ = 0;
    std::vector<Origins> origins_;
    std::vector<ValueId> stored_as_;      ///< for a register's value: the newest cell value that is a copy of it
    std::vector<std::uint32_t> holders_;  ///< for a cell's value: the cells that hold it now
    std::vector<StepId> released_;        ///< for a cell's value: when the last cell lost it
    std::vector<StepId> last_read_;
    std::vector<std::uint32_t> visited_;  ///< the number of the call that visited it last

    std::uint32_t question_ = 0;
    std::vector<Hop> way_;
    std::vector<Found> found_;
    std::vector<ValueId> older_;
};

}  // namespace lanescope::analysis
