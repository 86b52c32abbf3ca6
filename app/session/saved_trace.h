// A saved trace -> the run that it came from.
#pragma once

#include "session/run.h"

#include <expected>
#include <filesystem>
#include <memory>

namespace lanescope::session {

/// Opens a saved trace: the same Run, without compiler or kernel.
[[nodiscard]] std::expected<std::shared_ptr<const Run>, Refusal> open_trace(const std::filesystem::path& path);

}  // namespace lanescope::session
