// A run -> the lecture's theory, measured: work, span and cost, Brent's bound beside a greedy schedule of the recorded
// operations, cost by number of processors, bytes by launch, and occupancy.
#pragma once

#include "analysis/analysis.h"
#include "analysis/panels/counts_picture.h"
#include "analysis/theory/global_elements.h"
#include "model/occupancy.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::analysis {

/// A launch in which each thread is a processor.
struct LaunchTheory {
    std::uint64_t blocks = 0, recorded_blocks = 0;
    std::uint64_t threads = 0;                             ///< of all blocks: P
    std::uint64_t threads_of_block = 0, shared_bytes = 0;  ///< of a block
    std::uint64_t steps = 0;               ///< OperationGraph::steps_by_launch: T; of the recorded blocks
    std::vector<GlobalElements> elements;  ///< of the recorded blocks
    std::uint64_t sectors_read = 0, sectors_written = 0;  ///< of all blocks; an atomic does both
    [[nodiscard]] std::uint64_t cost() const { return threads * steps; }
    std::string cut;  ///< trace::cut_text
    [[nodiscard]] bool complete() const { return recorded_blocks == blocks && cut.empty(); }
};

/// The greedy schedule on that many processors.
struct ScheduledSteps {
    std::string name;  ///< "N / log2 N"; empty: the number alone
    std::uint64_t processors = 1, steps = 0;
    [[nodiscard]] std::uint64_t cost() const { return processors * steps; }
};

/// One run of the program at another size.
struct WorkAtSize {
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::uint64_t grid = 0;
    std::uint64_t work = 0, span = 0;
    std::optional<std::uint64_t> form;  ///< the lesson's closed form of the work
};

/// The time of the algorithm in a recording, and the bytes that it must move.
struct TimedBytes {
    std::string device;  ///< with the recording's day
    std::uint64_t elements = 0, element_bytes = 0, bytes = 0;
    double microseconds = 0;
    [[nodiscard]] double gigabytes_per_second() const { return static_cast<double>(bytes) / microseconds / 1e3; }
};

struct OccupancyOf {
    model::GpuModel gpu;
    model::Occupancy occupancy;
};

struct TheoryPicture {
    std::uint64_t n = 0;               ///< elements; 0: not known
    std::vector<std::string> scope;    ///< what the numbers leave out, one sentence each
    bool exact = true;                 ///< the numbers include every operation of the run, and its use is known
    std::uint64_t address_work = 0;    ///< Analysis::address_work, or 0 where that is unknown
    std::uint64_t work = 0, span = 0;  ///< W and t
    bool of_addresses = false;         ///< W, t and the schedule are of address work, because there is no other work
    std::vector<LaunchTheory> launches;
    std::vector<std::string> arrays;         ///< the names of the buffers
    std::vector<ScheduledSteps> schedule;    ///< p = 1, 2, 4, ... as far as the curve goes
    std::vector<ScheduledSteps> processors;  ///< N, N / log2 N, log2 N, 1; empty without N, and of a part
    std::uint32_t launch = 0;                ///< the launch whose occupancy is shown
    std::vector<OccupancyOf> occupancy;
    // Filled in by the caller: they need the program.
    std::vector<ClosedForm> forms;
    std::vector<TimedBytes> times;
    std::vector<WorkAtSize> work_by_size;  ///< by increasing n
    std::string work_note;                 ///< a sentence: why there are none, or how they are measured

    [[nodiscard]] std::uint64_t cost() const;  ///< of all launches
    [[nodiscard]] bool complete() const;       ///< every block of every launch is recorded
};

/// `n`: 0 where unknown. `launch`: the one whose occupancy is shown.
[[nodiscard]] TheoryPicture theory_picture(const Analysis& analysis, std::uint64_t n, std::uint32_t launch);

}  // namespace lanescope::analysis
