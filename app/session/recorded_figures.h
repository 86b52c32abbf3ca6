// Figures of a lecture's words that were measured: `{recorded time at 2^22 in 128}` -> "31.5", of the largest recording
// that ships with Lanescope.
//
//   recorded time at N in BLOCK, recorded bandwidth at N in BLOCK     µs, GB/s: of the step's program
//   ... of reduce/sequential                                          of another one
//   peak share at N in BLOCK                                          percent of the device's peak
//   peak bandwidth, read bandwidth                                    GB/s: of the device, of a kernel that only reads
//   launch time                                                       µs: an empty kernel, from launch to end
//   recorded device, recorded date
#pragma once

#include "base/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace lanescope::session {

/// Nothing: it is no figure of a recording. Errors say what was not recorded.
[[nodiscard]] std::optional<Result<std::string>> recorded_figure(std::string_view figure, const std::string& program);

}  // namespace lanescope::session
