// What can be launched at all, said before anything runs.
#pragma once

#include "base/result.h"
#include "execute/emulator/emulator.h"
#include "ptx/module.h"

namespace lanescope::execute {

/// The kernel that the request names, where grid, block, shared memory and arguments suit it.
[[nodiscard]] Result<const ptx::Function*> check_launch(const ptx::Module& module, const LaunchRequest& request,
                                                        const std::vector<trace::Buffer>& buffers);

}  // namespace lanescope::execute
