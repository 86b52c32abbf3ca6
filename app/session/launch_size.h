// Sizes as typed on the command line, in the window and in a lesson's recipe -> numbers.
#pragma once

#include "trace/trace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace lanescope::session {

/// A whole number: "0", "256", a power "2^20" or a multiple "4k" (4 x 1024), "1M" (1024 x 1024). Powers and multiples
/// are at most 2^40, far above any size that runs.
[[nodiscard]] std::optional<std::uint64_t> parse_number(std::string_view text);

/// The same, at least 1.
[[nodiscard]] std::optional<std::uint64_t> parse_count(std::string_view text);

/// One to three counts with "x" or a comma between them: "256", "16x16", "16, 16, 4". Each is at least 1 and fits 32
/// bits.
[[nodiscard]] std::optional<trace::Dim3> parse_extent(std::string_view text);

/// "Expected a whole number from 1 to 2²⁴, such as 1024 or 2^10."
[[nodiscard]] std::string numbers_allowed(std::uint64_t least, std::uint64_t most);

/// "256", "16x16", "8x8x4", with `by` between the sides.
[[nodiscard]] std::string extent_text(const trace::Dim3& extent);

}  // namespace lanescope::session
