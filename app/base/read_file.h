// A file's bytes.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace lanescope {

/// Fails where there is no such file, or it cannot be read, with the system's reason; the place is the file.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path);

}  // namespace lanescope
