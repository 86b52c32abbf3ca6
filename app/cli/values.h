// The text of one flag's value -> the value, or why it is none: the flag, the value, what is allowed.
#pragma once

#include "base/result.h"
#include "scene/theme.h"
#include "trace/trace.h"

#include <cstdint>
#include <string>
#include <utility>

namespace lanescope::cli {

struct NumberRange {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
};

/// A whole number in decimal, or a power as 2^20.
[[nodiscard]] Result<std::uint64_t> read_number(const std::string& flag, const std::string& text, NumberRange range);
[[nodiscard]] Result<double> read_real(const std::string& flag, const std::string& text, double least, double most);
/// "256", "16x16", "8x8x4".
[[nodiscard]] Result<trace::Dim3> read_extent(const std::string& flag, const std::string& text);
[[nodiscard]] Result<trace::View> read_view(const std::string& text);
[[nodiscard]] Result<scene::Theme> read_theme(const std::string& text);
/// "75", or as the tools of CUDA write it: "sm_75", "compute_90".
[[nodiscard]] Result<unsigned> read_arch(const std::string& text);
[[nodiscard]] Result<unsigned> read_banks(const std::string& text);
/// "name=plan".
[[nodiscard]] Result<std::pair<std::string, std::string>> read_argument(const std::string& text);

}  // namespace lanescope::cli
