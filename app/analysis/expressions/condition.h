// From a predicate to its condition, as the source would write it.
#pragma once

#include "analysis/narration/narrator.h"

#include <optional>
#include <string>

namespace lanescope::analysis {

struct Condition {
    std::string text;       ///< "tid % 8 == 0"; "s < blockDim.x, 4 < 16," where all lanes agree on both sides
    bool inverted = false;  ///< the predicate holds where the text does not
};

/// The condition that predicate `reg` (as the trace numbers it; negated: !reg) held before the narrator's step, back
/// through negations to the comparison.
[[nodiscard]] Condition condition_of(const Narrator& narrator, RegisterId reg, bool negated);

/// The comparison at the block's step number `index`; nothing where it is not a plain comparison.
[[nodiscard]] std::optional<std::string> comparison_of(const Narrator& narrator, std::size_t index);

}  // namespace lanescope::analysis
