// Whether a launch is possible at all, checked before anything runs.
#pragma once

#include "base/result.h"
#include "execute/emulator/emulator.h"
#include "model/device_limits.h"
#include "ptx/module.h"

#include <vector>

namespace lanescope::execute {

/// Fails unless grid, block and shared memory fit the device and the kernel's own bounds.
[[nodiscard]] Result<void> check_size(const ptx::Function& kernel, const LaunchRequest& request,
                                      const model::DeviceLimits& device = model::emulated_device());

/// The kernel that the request names, if grid, block, shared memory and arguments fit it.
[[nodiscard]] Result<const ptx::Function*> check_launch(const ptx::Module& module, const LaunchRequest& request,
                                                        const std::vector<trace::Buffer>& buffers);

}  // namespace lanescope::execute
