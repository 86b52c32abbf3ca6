// Runs a compiler, a linker, or another tool to its end.
#pragma once

#include "base/child_process.h"
#include "base/progress.h"
#include "base/result.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::host {

struct ToolOutput {
    Ending ending;
    std::string text;  ///< standard output and standard error
};
/// Runs the command to its end; nullopt if it was cancelled.
[[nodiscard]] Result<std::optional<ToolOutput>> run_tool(const std::vector<std::string>& command, Progress* progress);

}  // namespace lanescope::host
