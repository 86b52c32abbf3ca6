// Expressions of a recipe or of a flag -> numbers: n, block, grid, multiprocessors, whole numbers, + - * / %, ( ),
// min(a, b), max(a, b), ceil(a / b), floor(a / b), log2(a) (rounded up) and sizeof(type). Division rounds towards zero.
// Conditions compare them, joined by `&&`. The grammar is that of base/expression.h.
#pragma once

#include "base/result.h"
#include "trace/trace.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::session {

struct SourceFile;

struct Variables {
    std::uint64_t n = 0, block = 0, grid = 0;
    std::uint64_t multiprocessors = 0;  ///< of the GPU that is timed; 0: no expression may name them
};
/// "n", "block", "grid" or "multiprocessors".
[[nodiscard]] bool is_size_name(std::string_view name);
[[nodiscard]] Result<std::uint64_t> evaluate(std::string_view expression, const Variables& variables);
/// Whether the condition holds: "grid > 1 && n % block != 0".
[[nodiscard]] Result<bool> holds(std::string_view condition, const Variables& variables);

/// An extent: one to three expressions, "ceil(n / block)", "16, 16" or "16x16". Each is at least 1.
[[nodiscard]] Result<trace::Dim3> evaluate_extent(std::string_view extent, const Variables& variables);

/// Values for trying an expression when a file is read.
inline constexpr Variables trial{.n = 64, .block = 32, .grid = 2, .multiprocessors = 8};

/// Replaces the names of the file's constants by their values, from the compiler, so that a recipe may use them.
[[nodiscard]] std::string with_constants(std::string_view expression, const SourceFile& source);

}  // namespace lanescope::session
