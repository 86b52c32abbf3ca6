// A request as the flags that the commands read it from: what one process tells another to launch.
#pragma once

#include "session/session.h"

#include <string>
#include <vector>

namespace lanescope::session {

/// "--kernel", "scan<float>", "--n", "1024", ...: what is asked for of the launch and of the data; neither the program itself nor
/// its view, nor how it is recorded and counted.
[[nodiscard]] std::vector<std::string> launch_flags(const Request& request);

[[nodiscard]] const char* name_of(trace::View view);  ///< "written", "compiled"

}  // namespace lanescope::session
