// Saturating arithmetic on sizes that a program passes: an overflow yields a size larger than any memory.
#pragma once

#include <algorithm>
#include <cstddef>

namespace lanescope::host {

inline constexpr std::size_t beyond_memory = std::size_t{1} << 62;

/// The product, at most `beyond_memory`.
[[nodiscard]] constexpr std::size_t product(std::size_t a, std::size_t b) {
    return a != 0 && b > beyond_memory / a ? beyond_memory : a * b;
}
[[nodiscard]] constexpr std::size_t sum(std::size_t a, std::size_t b) {
    return a >= beyond_memory || b >= beyond_memory - a ? beyond_memory : a + b;
}

/// The bytes from the start of the first row to the end of the last. Requires at least one row.
[[nodiscard]] constexpr std::size_t bytes_of_rows(std::size_t pitch, std::size_t width, std::size_t height) {
    return sum(product(std::max<std::size_t>(height, 1) - 1, pitch), width);
}

}  // namespace lanescope::host
