// Return addresses of a program -> lines of its own sources, by the line table that the compiler wrote (libdw).
#pragma once

#include "host/program.h"

#include <filesystem>
#include <vector>

namespace lanescope::host {

/// Fills ProgramStep::where and ::function with the innermost frame that lies in one of the folders `sources`.
void find_lines(const std::filesystem::path& program, const std::vector<std::filesystem::path>& sources,
                std::vector<ProgramStep>& steps);

/// Leaves the functions that are written in one of the folders.
void keep_own(const std::filesystem::path& program, const std::vector<std::filesystem::path>& sources,
              std::vector<HostFunction>& functions);

}  // namespace lanescope::host
