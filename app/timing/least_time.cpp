#include "timing/least_time.h"

#include "base/grouped.h"
#include "timing/limit.h"

#include <fmt/format.h>

#include <algorithm>

namespace lanescope::timing {

DeviceLimit device_limit_of(const Recording& recording) {
    return {.launch = recording.overhead.least, .peak = recording.peak, .l2_bytes = recording.l2_bytes};
}

LeastTime least_time(const DeviceLimit& device, const Point& point) {
    constexpr std::uint64_t sector = 32;
    std::uint64_t bytes = point.bytes;
    if (point.counts) bytes = std::min(bytes, point.counts->sectors * sector);
    // Inputs are not in the cache when a timed run begins; outputs may be there when it ends.
    const std::uint64_t read = std::min(bytes, point.n * bytes_of_element(point.element));
    const std::uint64_t crossing = read + (bytes - read) - std::min(bytes - read, device.l2_bytes);
    const double transfer = device.peak > 0 ? static_cast<double>(crossing) / device.peak / 1e3 : 0;
    return {.microseconds = std::max(device.launch, transfer), .by_memory = transfer > device.launch};
}

std::string replaced_text(const Point& point, double estimated, const LeastTime& least) {
    return fmt::format(
        "At N = {} the model's {} are less than {}, {}, which is shown instead.", size_text(point.n),
        time_text(estimated),
        least.by_memory ? "its bytes take at the memory's nominal bandwidth" : "a launch of an empty kernel takes",
        time_text(least.microseconds));
}

}  // namespace lanescope::timing
