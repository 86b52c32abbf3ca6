// Compared times are taken in turns, so that other load on the machine slows all of them alike. Measures the processor
// time of this process, not wall-clock time.
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

/// The seconds that each function takes: the median over the turns.
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
