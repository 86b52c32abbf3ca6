// The Passes picture as data, for any kernel: columns are the elements of shared arrays by address (or lanes, where
// values travel in registers); a row is the state after a pass; between two rows one node for each store, with arcs by
// data dependence from the cells it came from. Nothing here is specific to reductions.
//
// A kernel that has neither works on global memory: the elements of its buffers are the columns, and the first row has
// their initial values. Where results are computed on the way out of shared memory, or go to computed indices, elements
// of the output are columns, too; so are elements of the input, where threads combine a few of them before the first
// store.
#pragma once

#include "analysis/block_view.h"
#include "analysis/passes_picture/grid_shape.h"
#include "analysis/source/members.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// An array of columns. Two arrays, or two halves of one, that are used in turn (double buffering) share columns:
/// `folded`.
struct ColumnGroup : CellNames {
    std::string name;                           ///< "sdata"; "lanes" for values in registers
    trace::Space space = trace::Space::shared;  ///< or global
    std::uint64_t address = 0;                  ///< of column 0
    std::uint32_t first_index = 0;              ///< of column 0 in the array: a block may touch the middle of a buffer
    std::uint64_t folded_address = 0;           ///< of column 0 in the other buffer, where folded
    bool folded = false;
    bool lanes = false;              ///< columns are threads of the block, not memory
    std::uint32_t first_column = 0;  ///< in the whole picture
    std::uint32_t count = 0;
    std::optional<GridShape> shape;  ///< of an array with rows and columns
    /// A window of a large array: only so many cells of each row, from that of `first_index` on, are columns. 0: all.
    std::uint32_t window = 0;
    /// The same for the rows of each plane of an array with three dimensions, from that of `first_index` on.
    std::uint32_t window_rows = 0;

    /// The cell of the array that a column of the picture shows.
    [[nodiscard]] std::uint64_t cell_of(std::uint32_t column) const {
        const std::uint64_t number = column - first_column;
        if (window == 0) return first_index + number;
        std::uint64_t row = number / window;
        if (window_rows > 0) row = row / window_rows * shape->height + row % window_rows;
        return first_index + row * shape->width + number % window;
    }
    /// The inverse of cell_of(), counted from the first column; nothing for a cell outside the window.
    [[nodiscard]] std::optional<std::uint32_t> number_of(std::uint64_t cells_from_first) const {
        std::uint64_t number = cells_from_first;
        if (window > 0) {
            if (number % shape->width >= window) return std::nullopt;
            std::uint64_t row = number / shape->width;
            if (window_rows > 0) {
                if (row % shape->height >= window_rows) return std::nullopt;
                row = row / shape->height * window_rows + row % shape->height;
            }
            number = row * window + number % shape->width;
        }
        return number < count ? std::optional(static_cast<std::uint32_t>(number)) : std::nullopt;
    }
};

struct Cell {
    bool known = false;       ///< it has been written
    bool written = false;     ///< in this pass
    bool copied = false;      ///< written with an unchanged copy of one cell (dotted)
    bool combined = false;    ///< written with the result of an operator
    bool replaced = false;    ///< in this pass, another value overwrote the new result of an operator
    bool read_again = false;  ///< some later step of the block reads it before it is overwritten
    bool useful = false;      ///< its value reaches an output, or serves one as an address or a condition
    std::uint64_t bits = 0;
    std::uint64_t replaced_bits = 0;  ///< that result
    std::uint64_t address = 0;        ///< address in the memory of its group
    ValueId value;
    StepId writer;             ///< last writer; invalid where there is none
    std::uint8_t lane = 0;     ///< of the writer
    std::uint32_t thread = 0;  ///< of the writer, linear in the block
    bool operator==(const Cell&) const = default;
};

/// A cell whose value flows into a node: from the row above, from the same row for a value made earlier in the same
/// pass, or from an older row for one that was kept in a register while its cell changed.
struct Source {
    std::uint32_t column = 0;
    std::uint32_t row = 0;  ///< of the cell, in Picture::rows
    bool own = false;       ///< the cell is in the column that the node writes: the arc is drawn straight
    bool same_row = false;
    StepId reader;  ///< the load; invalid where a register had kept the cell's value
};

/// A value that another block of the launch wrote to global memory and this block read. Either no cell above shows it,
/// or the cell shows what memory held before.
struct FromBlock {
    BlockId block;
    ValueId value;
    bool operator==(const FromBlock&) const = default;
};

/// One store of one lane in a pass.
struct Node {
    std::uint32_t column = 0;  ///< column that it writes
    std::uint32_t thread = 0;
    StepId step;  ///< the store
    ValueId value;
    bool combines = false;  ///< at least one operation between the sources and the store
    bool changes = false;   ///< no operation, but the stored value is not a source's: a count, a scaled value
    bool useful = false;
    std::vector<Source> sources;        ///< empty: the value is from global memory, a constant or an index
    std::vector<Source> index_sources;  ///< of a store to global memory: cells that its index was computed from, where
                                        ///< the lanes of the instruction have different ones
    bool from_global = false;
    bool immediate = false;              ///< the value is an immediate of the code
    std::vector<FromBlock> from_blocks;  ///< by block
    std::uint32_t elements = 0;          ///< elements of global memory without a cell that its value was made of
};

/// Passes after a row and before the next one that write none of the columns.
struct PassesBetween {
    PassId first, last;
    std::string label;                ///< of a single pass, "t = 0"; empty where it only has a number
    std::vector<std::string> reads;   ///< names of arrays, as in the picture, and of buffers
    std::vector<std::string> writes;  ///< buffers that are not shown
    bool stores = false;              ///< to memory, whether it has a name or not
    bool computes = false;            ///< operations that an output depends on

    [[nodiscard]] bool has(PassId pass) const { return pass.valid() && first <= pass && pass <= last; }
};

struct PictureRow {
    PassId pass;
    std::string label, sublabel;           ///< "load"; "pass 2", "s = 2"
    std::vector<Node> nodes;               ///< between the row above and this one, by column then step
    std::vector<Cell> cells;               ///< one per column, the state after the pass
    unsigned lanes = 0;                    ///< threads that stored
    unsigned useful = 0;                   ///< threads that did useful work in the pass: Pass::lanes
    bool use_known = true;                 ///< false: `useful` may count too many
    unsigned threads = 0;                  ///< of the block
    bool initial = false;                  ///< the contents of global memory before pass 0; no nodes
    std::optional<PassesBetween> between;  ///< passes between this row and the next

    /// The threads that write the column in the pass, each once, in the order of their first stores.
    [[nodiscard]] std::vector<std::uint32_t> threads_of(std::uint32_t column) const;
    /// While pass `current` is executed, is the row not reached yet? `current` invalid: all rows are.
    [[nodiscard]] bool is_after(PassId current) const { return current.valid() && !initial && current < pass; }
};

struct Picture {
    std::vector<ColumnGroup> groups;
    std::uint32_t columns = 0;
    std::vector<PictureRow> rows;  ///< one a pass that changes columns
    std::vector<bool> halo;        ///< by column: halo_of(); empty: none

    /// Does any array have rows and columns?
    [[nodiscard]] bool has_grids() const;
    /// The group that the column belongs to; column < columns.
    [[nodiscard]] const ColumnGroup& group_of(std::uint32_t column) const;
};

[[nodiscard]] Picture picture_of(const BlockView& block);

/// A selected value and everything that it was made of.
struct SelectedPast {
    ValueId selected;          ///< invalid: none
    std::vector<bool> values;  ///< by ValueId; empty: no selection

    [[nodiscard]] bool has(ValueId value) const {
        return value.valid() && value.index() < values.size() && values[value.index()];
    }
};

/// For each row and column, in the rows up to the current pass: is the cell's value in that past and needed by a later
/// row, or is it the selected value itself? Row-major, `picture.columns` wide; empty when nothing is selected.
[[nodiscard]] std::vector<bool> cells_in_past(const Picture& picture, const SelectedPast& past, PassId current);

/// One finding, in the row of the pass in which it happened, or happened again.
struct FaultMark {
    std::size_t finding = 0;  ///< in Trace::findings
    std::uint32_t row = 0;
    std::optional<std::uint32_t> column;  ///< the cell accessed; nothing: outside all cells, or no access at all
    std::size_t step = 0;                 ///< number in BlockPasses::steps
    bool again = false;                   ///< Finding::again: a later occurrence at this cell
    friend bool operator==(const FaultMark&, const FaultMark&) = default;
};

/// The findings of the block, if it was recorded step by step, in their own order, each with all cells that it touched.
[[nodiscard]] std::vector<FaultMark> fault_marks(const BlockView& block, const Picture& picture);

}  // namespace lanescope::analysis
