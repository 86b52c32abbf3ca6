#include "base/configuration_folder.h"

#include <cstdlib>

namespace lanescope {

std::filesystem::path configuration_folder() {
    if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder == '/') {
        return std::filesystem::path(folder) / "lanescope";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return std::filesystem::path(home) / ".config" / "lanescope";
    }
    return {};
}

}  // namespace lanescope
