// Pictures made by hand, so that drawing is tested without running anything.
#pragma once

#include "analysis/passes_picture/joint_values.h"
#include "analysis/passes_picture/picture.h"
#include "scene/passes/state.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::scene::hand_made {

/// Builds a Picture store by store. Which values are read again and which reach the output follows from the stores.
class Builder {
  public:
    Builder(std::string name, std::uint32_t columns, unsigned threads);

    /// The first row: every column loaded from global memory by the thread of its number.
    Builder& load(const std::vector<std::int64_t>& values);
    Builder& pass(std::string label, std::string sublabel);
    /// `thread` stores `value` into `column`, made from these columns of the row above.
    Builder& store(std::uint32_t column, unsigned thread, std::int64_t value, std::vector<std::uint32_t> sources);
    /// The same value moved: no operator.
    Builder& copy(std::uint32_t column, unsigned thread, std::uint32_t source);
    [[nodiscard]] std::int64_t value(std::uint32_t column) const { return before_[column]; }

    /// `outputs`: the columns whose last value leaves the block.
    [[nodiscard]] analysis::Picture finish(const std::vector<std::uint32_t>& outputs);

    analysis::ColumnGroup& group() { return picture_.groups.front(); }

  private:
    analysis::Picture picture_;
    std::vector<std::int64_t> before_, now_;  ///< values in the row above and in the current row
    std::uint32_t next_step_ = 0;
    std::uint32_t next_value_ = 0;
};

/// The lecture's example: 10 1 8 -1 0 -2 3 5 -2 -3 2 7 0 11 0 2, and on from there.
[[nodiscard]] std::vector<std::int64_t> lecture_input(std::uint32_t n);

[[nodiscard]] analysis::Picture interleaved_reduction(std::uint32_t n);
[[nodiscard]] analysis::Picture sequential_reduction(std::uint32_t n);
/// Hillis-Steele over two buffers that are drawn folded.
[[nodiscard]] analysis::Picture folded_scan(std::uint32_t n);
/// `width` lanes of a warp exchange by shuffles; only the lower half of each pass is useful.
[[nodiscard]] analysis::Picture shuffle_tree(std::uint32_t width);
/// Two arrays side by side, one of them partly never written; many lanes add to few bins.
[[nodiscard]] analysis::Picture histogram();
/// Interleaved, with values as long as a 32-bit integer can be.
[[nodiscard]] analysis::Picture long_values(std::uint32_t n);
/// One thread adds up n elements, one store after the other in one pass.
[[nodiscard]] analysis::Picture serial_scan(std::uint32_t n);
/// Each of n threads replaces its element by the sum of all.
[[nodiscard]] analysis::Picture all_pairs(std::uint32_t n);
/// Compositions of n maps, slopes in the first n columns and offsets in the others; n is a power of two.
[[nodiscard]] analysis::Picture scan_of_maps(std::uint32_t n);
/// The two halves of that picture.
[[nodiscard]] analysis::JointValue maps(std::uint32_t n);

/// The state after the last step.
[[nodiscard]] PassesState finished();
/// The state in the row's pass after all of its stores, or before the first of them.
[[nodiscard]] PassesState after(const analysis::Picture& picture, std::size_t row);
[[nodiscard]] PassesState before(const analysis::Picture& picture, std::size_t row);
/// Adds the selection of a cell's value to a state: its past as the picture's nodes tell it.
[[nodiscard]] PassesState selecting(const analysis::Picture& picture, PassesState state, std::size_t row,
                                    std::uint32_t column);

}  // namespace lanescope::scene::hand_made
