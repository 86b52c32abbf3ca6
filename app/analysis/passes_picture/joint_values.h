// Shared arrays whose cells at one index form one value of the algorithm: the slope and the offset of a line; the
// count, the mean and the sum of squares of a set. Found in the data flow of the block, never by name:
//
// - The arrays, or equal parts of one array, are as long as each other and have elements of equal size.
// - In every pass the same threads write the same indices of all of them.
// - In every pass that combines their earlier values, some thread combines the values of several of them at one index:
//   the value was read as a whole. So two halves of an array that is scanned are not one value.
// - A thread that compares one of them at an index, and takes another one from there, reads the value as a whole, too:
//   the maximum and where it is, a sum and the flag that ends it.
#pragma once

#include "analysis/block_view.h"
#include "analysis/passes_picture/picture.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

struct JointValue {
    /// A column of the picture as a cell of the value.
    struct Place {
        std::uint32_t part = 0, index = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };

    std::vector<std::uint32_t> first_columns;  ///< of each part, ascending; two to four
    std::uint32_t count = 0;                   ///< columns of each part
    std::vector<std::string> names;            ///< of each part: "slope"; "slope[8..15]" where a part has no name

    /// Nothing for a column of another array.
    [[nodiscard]] std::optional<Place> place_of(std::uint32_t column) const;
    /// "slope, offset: one value"
    [[nodiscard]] std::string title() const;
    friend bool operator==(const JointValue&, const JointValue&) = default;
};

/// By first column; no two share a column.
[[nodiscard]] std::vector<JointValue> joint_values_of(const BlockView& block, const Picture& picture);

}  // namespace lanescope::analysis
