// What is run of a kernel where a GPU is held against the emulator, and nobody says otherwise: a few blocks of 256
// threads, the last one not full, on random numbers.
#pragma once

#include "cli/options.h"
#include "session/session.h"

#include <string>
#include <vector>

namespace lanescope::cli {

[[nodiscard]] session::Request usual_request(const UsualSizes& sizes, const std::string& program, trace::View view);

/// The flags that say the same to another process.
void add_flags(const UsualSizes& sizes, std::vector<std::string>& arguments);

/// These, or all built-in ones.
[[nodiscard]] std::vector<std::string> programs_or_all(const std::vector<std::string>& programs);

}  // namespace lanescope::cli
