// Variables -> offsets: parameters, frames, and shared memory. PTX leaves the layout to the driver; ours must be as
// compact as the driver's, because the sums limit a launch.
#pragma once

#include "ptx/module.h"

#include <optional>

namespace lanescope::ptx {

/// Fills the offsets and byte counts of a function's own parameters, results, and frame.
void lay_out_frame(Function& function);

/// Fills the offsets of shared variables, and Function::shared_bytes and dynamic_shared_offset of the entries.
///
/// An entry needs the variables that it, or a function it may call, names. A variable has one offset for all entries:
/// the lowest that is free in each of them. So the variables of kernels that share none all begin at 0.
void lay_out_shared(Module& module);

}  // namespace lanescope::ptx
