// What can be launched at all, said before anything runs.
#pragma once

#include "base/result.h"
#include "execute/emulator/emulator.h"
#include "ptx/module.h"

namespace lanescope::execute {

/// Do grid, block and shared memory suit the chip, and what the kernel says of its blocks?
[[nodiscard]] Result<void> check_size(const ptx::Module& module, const ptx::Function& kernel,
                                      const LaunchRequest& request);

/// The kernel that the request names, where grid, block, shared memory and arguments suit it.
[[nodiscard]] Result<const ptx::Function*> check_launch(const ptx::Module& module, const LaunchRequest& request,
                                                        const std::vector<trace::Buffer>& buffers);

}  // namespace lanescope::execute
