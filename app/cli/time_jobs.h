// The measurements of `lanescope time`, one by one, and their form on a worker's command line.
#pragma once

#include "cli/options.h"
#include "session/catalog.h"
#include "timing/measurement.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::cli {

/// One measurement. A zero of `grid` or `per_thread`: the program's own rule.
struct TimeJob {
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::uint64_t grid = 0;        ///< blocks
    std::uint64_t per_thread = 0;  ///< elements
    friend bool operator==(const TimeJob&, const TimeJob&) = default;
};
/// "4096:256", "4096:256:132", "4096:256:0:8"
[[nodiscard]] std::string text_of(const TimeJob& job);
[[nodiscard]] Result<TimeJob> read_job(std::string_view text);

/// The measurements of one kernel, which one worker makes.
struct TimeGroup {
    std::string program;  ///< by name, or the path of a file
    std::string name;     ///< as in recordings: without paths
    std::string type;     ///< "int", "float"; empty: the kernel's own
    std::string kernel;   ///< the instance of its template for this type; empty: the program's own
    std::vector<TimeJob> jobs;
    std::string why;  ///< why measurements are missing, a sentence; empty: none is
};
/// Each kernel in each of the requested types, in order; `why` is set for a kernel that does not have the type. A
/// kernel with a limit on elements is measured at that limit.
[[nodiscard]] Result<std::vector<TimeGroup>> groups_of(const TimeOptions& options);

/// "reduce/sequential, n = 2²⁰, block 256"
[[nodiscard]] std::string describe(const TimeGroup& group, const TimeJob& job);

/// Whether the recording has it.
[[nodiscard]] bool is_measured(const timing::Recording& recording, const TimeGroup& group, const TimeJob& job);

}  // namespace lanescope::cli
