// The correct results of programs, by plain loops on the CPU: the oracles, by name, and the comparison with the actual
// results.
//
// Whole numbers wrap around as in CUDA. Floats are computed in the element's own type, first element first; another
// order rounds differently, so each expected element has a tolerance for rounding alone: 2 (k - 1) u sum|x| for its k
// terms x, u the unit roundoff (Higham, Accuracy and Stability, 4.2), and 0 where every term is a whole number and
// every partial sum is exact.
#pragma once

#include "base/result.h"
#include "trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// The data of an oracle: the kernel's inputs at the launch.
struct OracleInputs {
    trace::Element element = trace::Element::s32;
    std::vector<std::span<const std::byte>> inputs;  ///< every input buffer, padding included, in parameter order
    std::uint64_t n = 0;                             ///< problem size; elements after the first n are padding
    std::uint64_t block = 0;                         ///< threads in a block
    std::uint64_t grid = 0;                          ///< blocks
    std::uint64_t slice = 0;  ///< elements of the input that one block processes (ExpectedResult::slice)
};

/// The first elements of the expected output; later ones are not checked.
struct Expected {
    std::vector<std::byte> bytes;   ///< elements, little-endian
    std::vector<double> tolerance;  ///< by element; empty: all must be equal
};

struct Oracle {
    std::string_view name;         ///< "block-sum"
    std::string_view description;  ///< "the sum of each block's elements"
    std::size_t inputs;            ///< how many input buffers it reads
    Expected (*expected)(const OracleInputs&);
    bool of_parts = false;  ///< it expects a result for each part of the input, and none for the whole
};
[[nodiscard]] Result<const Oracle*> find_oracle(std::string_view name);
/// Whether it expects a result for each part of the input, and none for the whole.
[[nodiscard]] bool of_parts(std::string_view oracle);

/// Runs the oracle; refuses unsupported data (too few inputs, an element type without arithmetic).
[[nodiscard]] Result<Expected> expect(const Oracle& oracle, const OracleInputs& inputs);

struct ResultComparison {
    bool ok = false;
    std::size_t compared = 0;          ///< elements
    std::size_t first_difference = 0;  ///< where !ok; == the elements of `actual` if that is too short
};
[[nodiscard]] ResultComparison compare(trace::Element element, const Expected& expected,
                                       std::span<const std::byte> actual);

}  // namespace lanescope::session
