// The GPU of this machine, as the processes find it that work on it.
#pragma once

#include "execute/gpu/device.h"
#include "timing/recording_header.h"

namespace lanescope::cli {

/// LANESCOPE_DRIVER names another driver than the system's. From then on an NVRTC is passed over whose PTX the driver
/// would not take; fails where none is left.
[[nodiscard]] Result<std::unique_ptr<execute::Device>> open_gpu();

/// The header of a recording made on it, with the compiler that is used and today's date; it has no command.
[[nodiscard]] timing::RecordingHeader header_of(const execute::Device& device);

}  // namespace lanescope::cli
