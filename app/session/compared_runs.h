// Two runs to compare: their names, their passes beside each other, and their times.
#pragma once

#include "analysis/comparison/comparison.h"
#include "session/run.h"
#include "timing/compared_times.h"
#include "timing/recording_library.h"

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::session {

/// The names of two runs; of one kernel, with what differs between their launches: "reduce/sequential, block 128".
[[nodiscard]] std::pair<std::string, std::string> names_of(const Run& one, const Run& other);

/// All blocks of all launches.
[[nodiscard]] analysis::Comparison comparison_of(const Run& one, const Run& other);

/// The names of several runs; the others are compared with the first.
[[nodiscard]] std::vector<std::string> names_of(std::span<const std::shared_ptr<const Run>> runs);

/// A sentence: why the counts of the two are not counts of the same task; empty if no reason is known. `letter`: of the
/// other.
[[nodiscard]] std::string caveat_of(const Run& one, const Run& other, char letter = 'B');

/// The counts of the run's launches in the code as compiled: a run as written is executed again for them.
[[nodiscard]] timing::CompiledCounts counted_as_compiled(const Run& run, Progress& progress);

/// Measured and estimated, with the parts of the passes of `comparison`, which is comparison_of() both.
[[nodiscard]] timing::ComparedTimes times_of(const Run& one, const Run& other, const analysis::Comparison& comparison,
                                             std::span<const timing::LibraryEntry> recordings, Progress& progress);

/// The cost model's estimate of one run: its time, and the part of each pass in it.
struct TimeOfPasses {
    std::optional<double> total;                ///< of all launches, microseconds; nothing: see `why`
    std::vector<std::optional<double>> passes;  ///< microseconds, by Analysis::passes; empty: see `why`
    /// Percent of `total` by line of the source, for what the recorded blocks execute there; costs that belong to no
    /// line, such as those of launches, are in none. Empty: see `why`.
    std::map<std::uint32_t, double> line_percent;
    double median_error = 0;  ///< of the model for such launches, relative
    std::string device;       ///< "NVIDIA H200": whose measurements the model is fitted to
    std::string method;       ///< how it is estimated, with the model's error
    std::string why;          ///< a sentence where there is no estimate
};
/// Percent of the total that all blocks spend in each pass of a block; nothing for a pass that the sum over the grid
/// does not have or that has no estimate. Empty: there is no estimate of passes.
[[nodiscard]] std::vector<std::optional<double>> pass_percents(const TimeOfPasses& time,
                                                               const analysis::Analysis& analysis,
                                                               const analysis::BlockPasses& block);
/// A run as written has none: its passes are not those of the code that the hardware runs.
[[nodiscard]] TimeOfPasses time_of_passes(const Run& run, std::span<const timing::LibraryEntry> recordings,
                                          Progress& progress);

}  // namespace lanescope::session
