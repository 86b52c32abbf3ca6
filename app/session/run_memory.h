// How much memory a run takes.
#pragma once

#include <cstdint>

namespace lanescope::session {

/// Bytes of recorded steps, at most.
inline constexpr std::uint64_t most_record_bytes = std::uint64_t{128} << 20;
/// Bytes of a run with what the analysis makes of its record, at most; what its buffers hold comes on top.
inline constexpr std::uint64_t most_run_bytes = 12 * most_record_bytes;

}  // namespace lanescope::session
