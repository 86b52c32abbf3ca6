// How a program ends that cannot reach Lanescope. Included by its CUDA runtime, too.
#pragma once

namespace lanescope::host {

/// The exit status of a program whose connection is gone.
inline constexpr int exit_without_lanescope = 125;

}  // namespace lanescope::host
