// Reading and writing a file, and where a person's own files are kept.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace lanescope {

/// Fails where there is no such file, or it cannot be read, with the system's reason; the place is the file.
[[nodiscard]] Result<std::string> read_file(const std::filesystem::path& path);

/// Writes the file beside its place and renames it, so that readers see either the old file or the new one, also after
/// a full disk or a kill. Fails with the system's reason, the old file as it was.
[[nodiscard]] std::expected<void, std::string> write_file(const std::filesystem::path& path, std::string_view bytes);
[[nodiscard]] std::expected<void, std::string> write_file(const std::filesystem::path& path,
                                                          std::span<const std::byte> bytes);

/// The folder of settings and recordings: $XDG_CONFIG_HOME/lanescope, else ~/.config/lanescope; empty where there is
/// neither. Not created.
[[nodiscard]] std::filesystem::path configuration_folder();

}  // namespace lanescope
