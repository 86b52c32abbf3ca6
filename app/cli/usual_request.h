// The default launch for a comparison of a GPU with the emulator: a few blocks of 256 threads, the last one not full,
// on random numbers.
#pragma once

#include "cli/options.h"
#include "session/session.h"

#include <string>
#include <vector>

namespace lanescope::cli {

[[nodiscard]] session::Request usual_request(const UsualSizes& sizes, const std::string& program, trace::View view);

/// The flags that request the same of another process.
void add_flags(const UsualSizes& sizes, std::vector<std::string>& arguments);

/// These programs, or all built-in ones.
[[nodiscard]] std::vector<std::string> programs_or_all(const std::vector<std::string>& programs);

}  // namespace lanescope::cli
