// CUDA events in pairs: when something began on the device, and when it ended.
#pragma once

#include "execute/gpu/device.h"

#include <vector>

namespace lanescope::execute {

/// Start and end of many things, recorded without waiting and read when all are done.
class Clock {
  public:
    [[nodiscard]] static Result<Clock> make(const Device& device, std::size_t pairs);
    Clock(Clock&& other) noexcept;
    Clock& operator=(Clock&&) = delete;
    ~Clock();

    void start(std::size_t pair) const;
    void stop(std::size_t pair) const;
    /// After the device has finished.
    [[nodiscard]] Result<double> microseconds(std::size_t pair) const;

  private:
    explicit Clock(const Device& device) : device_(&device) {}
    const Device* device_;
    std::vector<EventTag*> events_;
};

}  // namespace lanescope::execute
