// A folder that a person opens -> the source in it that has main, by which its program is found.
#pragma once

#include "base/result.h"

#include <string>

namespace lanescope::session {

/// The path of that source; any other path as it is. Fails where no source of the folder has a main, or several have.
[[nodiscard]] Result<std::string> opened_source(const std::string& path);

}  // namespace lanescope::session
