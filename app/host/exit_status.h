// The exit status of a program that has lost its connection to Lanescope. The program's CUDA runtime includes it, too.
#pragma once

namespace lanescope::host {

/// The exit status of a program whose connection is gone.
inline constexpr int exit_without_lanescope = 125;

}  // namespace lanescope::host
