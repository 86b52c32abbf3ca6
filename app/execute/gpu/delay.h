// A kernel that keeps the device busy while the host queues the work that is timed after it. Without it, events would
// also measure how long the host takes from one launch to the next: half of what two short kernels take.
#pragma once

#include "execute/gpu/device.h"

#include <cstddef>

namespace lanescope::execute {

class Delay {
  public:
    [[nodiscard]] static Result<Delay> make(const Device& device);
    /// Queues the kernel, which runs long enough for `calls` launches, copies and events to be queued after it; at most
    /// 20 ms.
    [[nodiscard]] Result<void> start(std::size_t calls) const;

  private:
    Delay(const Device& device, DeviceModule module, FunctionTag* kernel)
        : device_(&device), module_(std::move(module)), kernel_(kernel) {}

    const Device* device_;
    DeviceModule module_;
    FunctionTag* kernel_;
};

}  // namespace lanescope::execute
