#include "execute/gpu/clock.h"

#include <utility>

namespace lanescope::execute {

Result<Clock> Clock::make(const Device& device, std::size_t pairs) {
    Clock clock(device);
    for (std::size_t i = 0; i < 2 * pairs; ++i) {
        EventTag* event = nullptr;
        if (const Status status = device.driver().create_event(&event, 0); status != 0)
            return std::unexpected(device.driver().problem("the GPU's clock cannot be used", status));
        clock.events_.push_back(event);
    }
    return clock;
}

Clock::Clock(Clock&& other) noexcept : device_(other.device_), events_(std::exchange(other.events_, {})) {}

Clock::~Clock() {
    for (EventTag* event : events_) device_->driver().destroy_event(event);
}

// An error shows when the pair is read.
void Clock::start(std::size_t pair) const { device_->driver().record_event(events_[2 * pair], nullptr); }
void Clock::stop(std::size_t pair) const { device_->driver().record_event(events_[2 * pair + 1], nullptr); }

Result<double> Clock::microseconds(std::size_t pair) const {
    float milliseconds = 0;
    const Status status = device_->driver().elapsed(&milliseconds, events_[2 * pair], events_[2 * pair + 1]);
    if (status != 0) return std::unexpected(device_->driver().problem("the GPU's clock cannot be read", status));
    return double{milliseconds} * 1e3;
}

}  // namespace lanescope::execute
