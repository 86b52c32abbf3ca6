// A program timed on a GPU: PTX as it is, unmodified.
//
// CUDA events stand around all launches of a program; where the host works between two of them, around each of them.
// Each run of a round has its own copy of the buffers, as many as make together twice the L2 cache or as there are
// runs; where these are too small to push each other out, other memory of twice that cache is written before the round:
// so no run finds its input in the cache. What a launch may write to is restored between rounds. All that is outside
// the timed part.
#pragma once

#include "base/progress.h"
#include "execute/gpu/device.h"
#include "execute/gpu/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace lanescope::execute {

struct TimerOptions {
    unsigned warm_ups = 3;
    unsigned samples = 31;
    /// No more runs than take this long together, but for the least number; in microseconds of the GPU.
    double longest = 1e6;
    unsigned least_samples = 5;  ///< three where one run alone takes longer than that
};

/// What the program's buffers hold after one run, those marked as results; the others are empty.
using Results = std::vector<std::vector<std::byte>>;

struct Timed {
    std::vector<double> microseconds;  ///< one a run
    unsigned copies = 1;               ///< of the buffers, taken in turn
    Results results;                   ///< of the first run
};

/// Fails where the device cannot run it. Cancelled: there are fewer samples, perhaps none.
[[nodiscard]] Result<Timed> time_program(const Device& device, const GpuProgram& program, const TimerOptions& options,
                                         Progress& progress);

}  // namespace lanescope::execute
