// A row of the table of devices -> the properties that a program reads of its device.
#pragma once

#include "host/protocol.h"
#include "model/device_limits.h"

namespace lanescope::host {

/// All that the compute capability decides. The name, the number of multiprocessors, the sizes of global memory and of
/// the L2 cache, the clocks and the bus are a product's own: they stay unset.
[[nodiscard]] DeviceFacts facts_of(const model::DeviceLimits& limits);

}  // namespace lanescope::host
