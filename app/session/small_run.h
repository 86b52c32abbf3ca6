// A program at a size of a few blocks, on which a plan for any size is based (gpu_plan.h).
#pragma once

#include "session/run.h"

#include <cstdint>
#include <expected>
#include <memory>

namespace lanescope::session {

inline constexpr std::uint64_t several_blocks = 3;                      ///< enough to show a kernel's behavior
inline constexpr std::uint64_t most_small = std::uint64_t{1} << 18;     ///< elements, to get as many
inline constexpr std::uint64_t most_instance = std::uint64_t{1} << 22;  ///< elements, to get the instance

/// Whether the run is of the template's instance that its kernel needs for n elements.
[[nodiscard]] bool has_instance_for(const Run& run, std::uint64_t n);

/// Runs the request at a small n of the program's own kind: up to `request.n`, the final size, with several blocks
/// where that many elements make several, and with the template's instance of the final size. Host code runs at
/// request.n itself.
[[nodiscard]] std::expected<std::shared_ptr<const Run>, Refusal> small_run(const Request& request, Progress& progress);

}  // namespace lanescope::session
