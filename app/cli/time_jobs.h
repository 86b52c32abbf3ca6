// What `lanescope time` is to measure, one by one, and how a worker is told.
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
    std::string name;     ///< as recordings call it: no machine's paths
    std::string type;     ///< "int", "float"; empty: the kernel's own
    std::string kernel;   ///< the instance of its template that this asks for; empty: the program's own
    std::vector<TimeJob> jobs;
    std::string
        why;  ///< there is nothing to measure, or less than was asked for; a sentence; empty: there is no reason
};
/// In order, each kernel in each of the types that are asked for; one that has no other type says why. A kernel that
/// takes no more than so many elements is measured at the most that it takes.
[[nodiscard]] Result<std::vector<TimeGroup>> groups_of(const TimeOptions& options);

/// "reduce/sequential, n = 2^20, block 256"
[[nodiscard]] std::string describe(const TimeGroup& group, const TimeJob& job);
/// "2^20", "1 000"
[[nodiscard]] std::string power_or_number(std::uint64_t n);

/// Whether the recording has it.
[[nodiscard]] bool is_measured(const timing::Recording& recording, const TimeGroup& group, const TimeJob& job);

}  // namespace lanescope::cli
