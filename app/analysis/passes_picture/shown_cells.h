// A picture at a position of its block -> the row of the current pass, the cell that shows an element now, and whether
// a stored value reaches no output.
#pragma once

#include "analysis/passes_picture/picture.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace lanescope::analysis {

/// A cell of a picture by its place.
struct CellPlace {
    std::uint32_t row = 0, column = 0;
    friend bool operator==(const CellPlace&, const CellPlace&) = default;
};

/// The cell that shows the element at an address of shared or global memory while pass `current` is executed and `next`
/// is the next step (invalid: there is none): in the last row that has begun and whose writer has executed. Nothing
/// where the picture has no column for the element.
[[nodiscard]] std::optional<CellPlace> cell_showing(const Picture& picture, trace::Space space, std::uint64_t address,
                                                    PassId current, StepId next);

/// The last row of a pass up to `current`; nothing where every row is of a later one.
[[nodiscard]] std::optional<std::size_t> row_of_pass(const Picture& picture, PassId current);

/// Does a pass store a value that reaches no output?
[[nodiscard]] bool has_useless_stores(const Picture& picture);

}  // namespace lanescope::analysis
