// Invented measurements, for tests of what is computed from them.
#pragma once

#include "timing/measurement.h"

#include <string>

namespace lanescope::timing {

inline Point made_up(std::string kernel, std::uint64_t n, std::uint32_t block, double microseconds) {
    return {.kernel = std::move(kernel),
            .element = "int",
            .n = n,
            .block = block,
            .grid = n / block,
            .bytes = 4 * n,
            .time = spread_of({microseconds})};
}

inline Recording made_up_recording(std::vector<Point> points) {
    Recording recording{{.device = "NVIDIA X",
                         .driver = "1",
                         .toolkit = "NVRTC 13.0",
                         .date = "2026-01-01",
                         .command = "lanescope time"}};
    recording.points = std::move(points);
    return recording;
}

}  // namespace lanescope::timing
