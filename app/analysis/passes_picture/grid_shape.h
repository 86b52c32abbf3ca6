// Which arrays have rows and columns: from the declaration (`tile[16][17]`), otherwise from the addresses that the
// threads of a block access, compared along threadIdx.x, threadIdx.y, threadIdx.z and the repetitions of a line.
#pragma once

#include "analysis/block_view.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace lanescope::analysis {

/// Rows and columns of an array, counted in its cells.
struct GridShape {
    enum class From : std::uint8_t {
        declaration,  ///< the type in the source
        addresses,    ///< the strides of its accesses, or the cells that they bring together
        subscripts,   ///< the same strides, and every index in the source is row * width + column
        block,        ///< the stride from row to row is blockDim.x, as in a linear index of the threads
    };
    From from = From::declaration;
    std::uint32_t width = 0;    ///< cells from the beginning of a row to that of the next
    std::uint32_t height = 0;   ///< rows of a plane, for an array with three dimensions; 0: one plane
    std::uint32_t padding = 0;  ///< cells at the end of each row that no thread of the block accesses
    std::string extents;        ///< "[16][17]"; empty where it is inferred
    friend bool operator==(const GridShape&, const GridShape&) = default;
};

/// How the source writes the indices of an array: "y * 8 + x", "(y + 4) * 8 + x", "x".
class IndexTexts {
  public:
    /// A line that accesses the array.
    void add(std::string_view line, const std::string& array);
    /// Is each index a row times the width, plus a column that has the same name everywhere, up to constants? A linear
    /// index that has a name of its own, or to which a variable is added, is not.
    [[nodiscard]] bool have_rows(std::uint64_t width) const;

  private:
    void add_index(std::string_view index);

    bool all_ = true;                              ///< all indices have at most one product and one name
    std::optional<std::set<std::string>> widths_;  ///< factors of every product, as numbers where it has some
    std::set<std::string> columns_;                ///< names that are added to a product
    std::uint64_t farthest_ = 0;                   ///< the largest constant that is added
};

/// The shapes of a block's arrays. Where the source declares none, the accesses of the block imply one; where most of
/// its threads are outside the data, those of other blocks of the launch do. A row of threads is not a grid: a block of
/// one dimension implies rows only where one of its lines advances by a stride that no grid-stride loop has.
class ArrayShapes {
  public:
    explicit ArrayShapes(const BlockView& block);

    /// The shape of an array by its declaration, otherwise by its accesses. `cell_bytes`: of the unit that the shape
    /// counts in; `per_element`: cells of an element.
    [[nodiscard]] std::optional<GridShape> of(const trace::SharedArray& array, unsigned cell_bytes,
                                              std::uint64_t per_element) const;
    [[nodiscard]] std::optional<GridShape> of(const trace::Buffer& buffer, unsigned cell_bytes,
                                              std::uint64_t per_element) const;

  private:
    struct Votes {
        std::map<std::uint64_t, std::uint64_t> strong, weak, plane;  ///< bytes from row to row -> accesses
        IndexTexts texts;                                            ///< of shared arrays
        bool joined = false;                                         ///< see joins_rows()
    };
    struct LineAccesses;
    void add(const trace::Trace& trace, std::span<const StepId> steps);
    [[nodiscard]] bool complete() const;
    [[nodiscard]] static std::uint64_t rows_of_tile(std::uint64_t near, std::uint64_t far,
                                                    std::span<const LineAccesses* const> lines);
    /// The evidence for rows of blockDim.x cells, where a linear index of the threads has the same strides.
    [[nodiscard]] bool joins_rows(std::span<const LineAccesses* const> lines) const;
    /// `of_array`: all lines that access the array of `line`.
    void count(const LineAccesses& line, std::span<const LineAccesses* const> of_array, Votes& votes) const;
    /// `array`: index in Trace::shared_arrays or Trace::buffers.
    [[nodiscard]] std::optional<GridShape> by_accesses(trace::Space space, std::size_t array,
                                                       unsigned cell_bytes) const;

    const trace::Trace& trace_;
    const ptx::Module& module_;
    const InstructionTable& instructions_;
    const trace::Launch& launch_;
    std::map<std::pair<trace::Space, std::size_t>, Votes> votes_;
};

/// By the declaration; nothing for arrays of one dimension. `per_element`: cells of an element.
[[nodiscard]] std::optional<GridShape> declared_shape(const ptx::Module& module, ptx::Space space,
                                                      const std::string& name, std::uint64_t per_element);

}  // namespace lanescope::analysis
