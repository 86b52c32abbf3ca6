// Counters that differ from the emulator's -> the instructions of the machine code (SASS) that show why, with their
// lines of PTX and source. Cites only what the SASS shows: removed or widened accesses, loops that wait, generic
// accesses.
#pragma once

#include "cli/counters_report.h"
#include "sass/sass.h"

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::cli {

/// The evidence for one kernel whose counters differ, for the cause that the counters suggest. The run is the counted
/// launch, the listing is of its PTX.
[[nodiscard]] SassEvidence sass_evidence(const ComparedCounters& one, session::DifferenceCause cause,
                                         const session::Run& run, const sass::Listing& listing);

/// Assembles and disassembles each kernel that differs, as it was counted, for the device's architecture; needs no GPU.
/// Returns a sentence for the report: the tools and the architecture, or why there is no SASS and what to install;
/// empty if nothing differs.
[[nodiscard]] std::string cite_sass(std::string_view device, const CountersOptions& options,
                                    std::vector<ComparedCounters>& all, Progress& progress);

}  // namespace lanescope::cli
