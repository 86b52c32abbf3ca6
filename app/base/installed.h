// Programs that are used where they are installed.
#pragma once

#include <string_view>

namespace lanescope {

/// Whether a folder of PATH has a program of that name that may be run.
[[nodiscard]] bool is_installed(std::string_view program);

}  // namespace lanescope
