// Reading and writing files, and the folder of a person's own files.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// Fails with the system's reason if the file does not exist or cannot be read; the place is the file.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path);

/// Writes a temporary file beside it and renames that, so that readers see either the old file or the new one, even
/// after a full disk or a kill. Fails with the system's reason and keeps the old file unchanged. A symbolic link stays,
/// and the file that it names is replaced; what is no regular file, as a pipe or a device, is written to.
[[nodiscard]] std::expected<void, std::string> write_file(const std::filesystem::path& path, std::string_view bytes);
[[nodiscard]] std::expected<void, std::string> write_file(const std::filesystem::path& path,
                                                          std::span<const std::byte> bytes);

/// The folder of settings and recordings: $XDG_CONFIG_HOME/lanescope, else ~/.config/lanescope; empty if neither is
/// set. Not created.
[[nodiscard]] std::filesystem::path configuration_folder();

}  // namespace lanescope
