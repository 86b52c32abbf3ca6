// A row of the table of devices -> the properties that a program reads of its device.
#pragma once

#include "host/protocol.h"
#include "model/device_limits.h"

namespace lanescope::host {

/// The properties that the compute capability determines. The name, the number of multiprocessors, the sizes of global
/// memory and of the L2 cache, the clocks and the memory bus depend on the product and stay unset.
[[nodiscard]] DeviceFacts facts_of(const model::DeviceLimits& limits);

}  // namespace lanescope::host
