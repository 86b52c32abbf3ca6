// The GPU of this machine, as the processes find it that work on it.
#pragma once

#include "cli/verify_report.h"
#include "execute/gpu/device.h"

namespace lanescope::cli {

/// LANESCOPE_DRIVER names another driver than the system's. From then on an NVRTC is passed over whose PTX the driver would not
/// take; fails where none is left.
[[nodiscard]] Result<std::unique_ptr<execute::Device>> open_gpu();

/// With the compiler that is used, and today's date.
[[nodiscard]] VerifiedOn verified_on(const execute::Device& device);

}  // namespace lanescope::cli
