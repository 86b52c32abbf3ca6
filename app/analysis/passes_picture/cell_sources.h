// The cells of the Passes picture that a stored value came from: back through registers and local memory to the cells.
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
    StepId at;                 ///< the step that made it; of an older value that is taken up again, the exchange
};

/// In the order of their steps. A thread's value is what it gives to a shuffle or a reduction over the warp, and what
/// it makes of what the last one of a pass brought: the result of an operator, or where the warp combines nothing the
/// brought value. In a pass without an exchange it is what operators make of the value that the thread holds. Copies
/// stand for what they copy. Empty where no lanes exchange values.
[[nodiscard]] std::vector<LaneEvent> lane_events(const BlockView& block);

/// The value that this one is a copy of, through registers and what functions are passed; itself if it is none. A value
/// read from memory or from another lane is a value of its own.
[[nodiscard]] ValueId past_register_copies(const trace::Trace& trace, const Provenance& provenance, ValueId value);

/// A cell's value is one that was stored to memory that has columns or, where lanes exchange values, one that a thread
/// holds. Questions come in the order of steps, and hold() takes every change of a cell.
class CellSources {
  public:
    CellSources(const BlockView& block, std::span<const LaneEvent> lanes, GlobalCells global);

    /// A cell that a value came from.
    struct Found {
        ValueId value;  ///< the cell's
        StepId reader;  ///< the instruction that read it; invalid where a register had kept the cell's value
    };
    struct Sources {
        std::span<const Found> cells;    ///< each once, in the order of the operands; until the next question
        std::span<const ValueId> older;  ///< values of global memory from before the block began; likewise
        bool combines = false;           ///< an operation on the way
        bool global = false;             ///< a value came from global memory, not by way of a cell
    };
    /// The origin of `stored`, about to be put into a cell in the pass that begins at `pass_begin`.
    [[nodiscard]] Sources of(ValueId stored, StepId pass_begin);

    /// The elements of global memory that are no cells, and that `stored` was made of otherwise than by way of a cell:
    /// each once, by age.
    [[nodiscard]] std::vector<ValueId> elements_of(ValueId stored) const;

    /// A cell takes `value` in step `now` and loses its previous value (invalid: nothing).
    void hold(ValueId value, ValueId before, StepId now);
    /// The newest step that reads the cell's value, or a copy of it; invalid if none does.
    [[nodiscard]] StepId last_read(ValueId value) const { return covers(value) ? last_read_[at(value)] : StepId{}; }
    /// Is it one of the values that were created while the block ran (with all of global memory: or before)?
    [[nodiscard]] bool covers(ValueId id) const { return id.value >= first_ && id.value - first_ < origins_.size(); }

  private:
    /// The path from a value to the cells it came from.
    struct Origins {
        bool cells = false;     ///< there are some
        bool global = false;    ///< global memory
        bool combines = false;  ///< an operation
        bool lane = false;      ///< a thread holds it: it is a cell's itself
    };
    /// A value on the way back.
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
    std::vector<ValueId> stored_as_;      ///< of a register: the newest cell's value that is a copy of it
    std::vector<std::uint32_t> holders_;  ///< of a cell's value: cells that hold it now
    std::vector<StepId> released_;        ///< of a cell's value: when the last cell lost it
    std::vector<StepId> last_read_;
    std::vector<std::uint32_t> visited_;  ///< by the question of that number

    std::uint32_t question_ = 0;
    std::vector<Hop> way_;
    std::vector<Found> found_;
    std::vector<ValueId> older_;
};

}  // namespace lanescope::analysis
