// Where a person's own things are kept: settings, recordings.
#pragma once

#include <filesystem>

namespace lanescope {

/// $XDG_CONFIG_HOME/lanescope, else ~/.config/lanescope; empty where there is neither. Not created.
[[nodiscard]] std::filesystem::path configuration_folder();

}  // namespace lanescope
