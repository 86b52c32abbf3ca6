// Which elements of memory a block uses: the columns of the Passes picture.
#pragma once

#include "analysis/block_view.h"
#include "analysis/passes_picture/picture.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::analysis {

/// A column, and which of the two buffers that share it.
struct ColumnPlace {
    std::uint32_t group = 0;
    std::uint32_t column = 0;  ///< in the whole picture
    bool other = false;        ///< in the buffer at ColumnGroup::folded_address
};

/// The parts of global memory that are columns, in addition to shared memory.
enum class GlobalCells : std::uint8_t {
    none,
    inputs,   ///< elements of buffers that it only reads
    outputs,  ///< elements that the block stores
    all,      ///< all elements that it accesses
};

/// The groups of columns and their addresses. Groups are disjoint in memory and ascend by address, except for the
/// folded part and for the threads; shared memory follows inputs and precedes other global memory.
class Columns {
  public:
    Columns(const BlockView& block, GlobalCells global, const ArrayShapes& shapes);

    [[nodiscard]] const std::vector<ColumnGroup>& groups() const { return groups_; }
    [[nodiscard]] std::uint32_t count() const { return count_; }
    /// The column of a byte of memory; nothing outside of all groups.
    [[nodiscard]] std::optional<ColumnPlace> place_of(trace::Space space, std::uint64_t address) const;
    /// Puts a column for each thread before the others.
    void add_lanes(const trace::Launch& launch, trace::Element element);
    [[nodiscard]] std::uint64_t address_of(const ColumnPlace& place) const;

  private:
    void number();

    std::vector<ColumnGroup> groups_;
    std::uint32_t count_ = 0;
};

/// The most columns of one buffer; its first ones represent the rest.
inline constexpr std::uint32_t most_buffer_columns = 4096;

/// A group for each such buffer that the block accesses, by address, from the first element it accesses to the last. An
/// input has a group for each of up to eight parts with other blocks' elements between them. An array with rows and
/// columns has those columns that the block accesses. Where one buffer without rows is only read and one only written,
/// at the same indices, they share columns: each row shows the one that was written last.
[[nodiscard]] std::vector<ColumnGroup> used_buffers(const BlockView& block, GlobalCells cells,
                                                    const ArrayShapes& shapes);

/// Folds groups of columns that are used in turn: the two halves of one group, or two groups of equal shape. `groups`
/// are disjoint and ascend by address; of a folded pair the first remains, with both names.
void fold_double_buffers(const BlockView& block, std::vector<ColumnGroup>& groups);

}  // namespace lanescope::analysis
