// The window: everything that `lanescope` shows when it is started without a command.
#pragma once

#include "session/window_options.h"

namespace lanescope::ui {

/// Opens the window and returns when it is closed: 0, or 2 if there is no display or no OpenGL 3.3 (stderr says which).
[[nodiscard]] int run_window(const session::WindowOptions& options);

}  // namespace lanescope::ui
