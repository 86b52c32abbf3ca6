// A PNG -> the desktop's clipboard, by wl-copy (Wayland) or xclip (X11), where one of them is installed.
#pragma once

#include "base/result.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

namespace lanescope::ui {

/// Whether a program that copies pictures is installed for this desktop.
[[nodiscard]] bool can_copy_pictures();

inline constexpr const char* no_copying_program = "pictures are copied by wl-copy or xclip, and neither is installed";

/// A copy that may still be under way: the program reads the picture while the window goes on.
class PictureCopy {
  public:
    PictureCopy();
    PictureCopy(const PictureCopy&) = delete;
    PictureCopy& operator=(const PictureCopy&) = delete;
    ~PictureCopy();

    /// Ends a copy that is under way. Fails if no program is installed, or if it cannot be started.
    [[nodiscard]] Result<void> start(std::span<const std::byte> png);
    [[nodiscard]] bool running() const { return state_ != nullptr; }
    /// Nothing while a copy runs, or if there is none; then its outcome, once, within seconds. The program
    /// serves the clipboard until something else is copied. Never waits.
    [[nodiscard]] std::optional<Result<void>> poll();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanescope::ui
