// A PNG -> the desktop's clipboard, by wl-copy (Wayland) or xclip (X11), where one of them is installed.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <span>

namespace lanescope::ui {

/// Whether a program that copies pictures is installed for this desktop.
[[nodiscard]] bool can_copy_pictures();

/// Returns when the program has taken the picture, at the latest after seconds; it serves the clipboard until something
/// else is copied. Fails with what it says.
[[nodiscard]] Result<void> copy_picture(std::span<const std::byte> png);

}  // namespace lanescope::ui
