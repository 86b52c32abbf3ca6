// Times that are compared are taken in turns: what else the machine does meanwhile then slows all of them alike.
// Processor time of this process, not the clock on the wall.
#pragma once

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <vector>

namespace lanescope::bench {

inline double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

/// Seconds that each of them takes, the median of as many turns.
template <std::size_t count>
std::array<double, count> medians_in_turns(unsigned turns, const std::array<std::function<void()>, count>& all) {
    std::array<std::vector<double>, count> seconds;
    for (unsigned turn = 0; turn < turns; ++turn) {
        for (std::size_t i = 0; i < count; ++i) {
            const double begin = processor_seconds();
            all[i]();
            seconds[i].push_back(processor_seconds() - begin);
        }
    }
    std::array<double, count> medians{};
    for (std::size_t i = 0; i < count; ++i) {
        std::ranges::sort(seconds[i]);
        medians[i] = seconds[i][turns / 2];
    }
    return medians;
}

}  // namespace lanescope::bench
