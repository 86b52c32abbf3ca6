// A device, a launch -> the least time that it can take: a kernel is launched, and its data crosses the memory bus. An
// estimate of the cost model that is below it is replaced by it, and the replacement is reported.
#pragma once

#include "timing/measurement.h"

#include <cstdint>
#include <string>

namespace lanescope::timing {

/// What limits every launch on a device. 0: unknown, and limits nothing.
struct DeviceLimit {
    double launch = 0;           ///< of an empty kernel, the fastest one measured, microseconds
    double peak = 0;             ///< nominal bandwidth of device memory, GB/s
    std::uint64_t l2_bytes = 0;  ///< written bytes may still be there when the kernel ends
};
[[nodiscard]] DeviceLimit device_limit_of(const Recording& recording);

struct LeastTime {
    double microseconds = 0;
    bool by_memory = false;  ///< by its bytes; else by the launch
};
/// The time of the point is not used. What it must move is Point::bytes, but no more than its counted sectors have: a
/// kernel that does not read all of its input moves less.
[[nodiscard]] LeastTime least_time(const DeviceLimit& device, const Point& point);

/// "At N = 1,024 the model's 2.10 µs are less than a launch of an empty kernel takes, 3.52 µs, which is shown instead."
[[nodiscard]] std::string replaced_text(const Point& point, double estimated, const LeastTime& least);

}  // namespace lanescope::timing
