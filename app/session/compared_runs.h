// Two runs to compare: their names, their passes beside each other, and their times.
#pragma once

#include "analysis/comparison/comparison.h"
#include "session/run.h"
#include "timing/compared_times.h"
#include "timing/recording_library.h"

#include <span>
#include <string>
#include <utility>

namespace lanescope::session {

/// The names of two runs; of one kernel, with what differs between their launches: "reduce/sequential, block 128".
[[nodiscard]] std::pair<std::string, std::string> names_of(const Run& one, const Run& other);

/// All blocks of all launches.
[[nodiscard]] analysis::Comparison comparison_of(const Run& one, const Run& other);

/// Why the counts of the two are not those of the same task, a sentence; empty where they may be.
[[nodiscard]] std::string caveat_of(const Run& one, const Run& other);

/// The counts of the run's launches in the code as compiled: a run as written is executed again for them.
[[nodiscard]] timing::CompiledCounts counted_as_compiled(const Run& run, Progress& progress);

/// Measured and estimated, with the parts of the passes of `comparison`, which is comparison_of() both.
[[nodiscard]] timing::ComparedTimes times_of(const Run& one, const Run& other, const analysis::Comparison& comparison,
                                             std::span<const timing::LibraryEntry> recordings, Progress& progress);

}  // namespace lanescope::session
