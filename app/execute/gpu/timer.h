// Times a program on a GPU, with its PTX unmodified.
//
// CUDA events enclose all launches of a program, or each launch if the host works between two of them. A round is
// queued as a whole while a delay kernel runs, so that they measure the GPU alone. Each run of a round has its own copy
// of the buffers, as many as together make twice the L2 cache or as there are runs. If these are too small to evict
// each other, other memory of twice that cache is written before the round, so that no run finds its input in the
// cache. Memory that a launch may write is restored between rounds. None of that is timed.
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
    /// Ends early if the runs take longer than this together, but not before the minimum number; in microseconds of the
    /// GPU.
    double longest = 1e6;
    unsigned least_samples = 5;  ///< three if one run alone takes longer than that
};

/// Another program that does the same, timed in the same rounds: each round runs both programs, one after the other,
/// and the next round in the other order.
class Contender {
  public:
    Contender() = default;
    Contender(const Contender&) = delete;
    Contender& operator=(const Contender&) = delete;
    virtual ~Contender() = default;

    /// Prepares that many inputs, which run() takes in turn.
    [[nodiscard]] virtual Result<void> prepare(unsigned copies) = 0;
    /// Queues one run in the default stream.
    [[nodiscard]] virtual Result<void> run(unsigned copy) = 0;
};

/// The buffers after one run: those marked as results; the others are empty.
using Results = std::vector<std::vector<std::byte>>;

struct Timed {
    std::vector<double> microseconds;  ///< one a run
    unsigned copies = 1;               ///< of the buffers, taken in turn
    Results results;                   ///< of the first run
    std::vector<double> beside;        ///< the contender's times, likewise one a run
};

/// Fails if the device cannot run it. If cancelled, there are fewer samples, perhaps none.
[[nodiscard]] Result<Timed> time_program(const Device& device, const GpuProgram& program, const TimerOptions& options,
                                         Progress& progress, Contender* beside = nullptr);

}  // namespace lanescope::execute
