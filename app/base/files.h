// Reading a file, and where a person's own files are kept.
#pragma once

#include "base/result.h"

#include <filesystem>
#include <string>

namespace lanescope {

/// Fails where there is no such file, or it cannot be read, with the system's reason; the place is the file.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path);

/// Of settings and recordings: $XDG_CONFIG_HOME/lanescope, else ~/.config/lanescope; empty where there is neither. Not
/// created.
[[nodiscard]] std::filesystem::path configuration_folder();

}  // namespace lanescope
