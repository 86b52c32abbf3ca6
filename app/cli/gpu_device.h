// The GPU of this machine, for the processes that use it.
#pragma once

#include "execute/gpu/device.h"
#include "timing/recording_header.h"

namespace lanescope::cli {

/// LANESCOPE_DRIVER names another driver than the system's. From then on an NVRTC whose PTX is too new for the driver
/// is skipped; fails where none is left.
[[nodiscard]] Result<std::unique_ptr<execute::Device>> open_gpu();

/// The header of a recording made on it, with the compiler that is used and today's date; it has no command.
[[nodiscard]] timing::RecordingHeader header_of(const execute::Device& device);

}  // namespace lanescope::cli
