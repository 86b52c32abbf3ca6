// The GPU's counters beside the emulator's counts.
#pragma once

#include "cli/options.h"
#include "cli/verify_report.h"
#include "session/hardware_counts.h"
#include "session/run.h"
#include "timing/counters.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::cli {

/// One kernel in one build: as written, or as compiled, by the driver's compiler as usual or at -O0.
struct CountersTrial {
    std::string program;
    trace::View view = trace::View::written;
    bool optimized = true;
};
[[nodiscard]] std::vector<CountersTrial> counters_trials(const CountersOptions& options);

/// How often each kernel is counted.
inline constexpr unsigned counted_runs = 11;

/// The prefix of the worker's lines on standard output, where Nsight Compute writes, too.
inline constexpr std::string_view counters_line = "lanescope-counters ";

/// A key of the worker's last line: a fault has made the GPU unusable for this process.
inline constexpr const char* device_lost_line = "device_lost";

/// The emulator's counts, by launch.
struct EmulatedCounts {
    CountersTrial trial;
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string input;
    std::vector<timing::Counters> launches;
    std::string why;      ///< the reason it was not counted; empty: it was
    bool failed = false;  ///< the reason is that the GPU could not run it

    void take(const session::Run& run);
};
[[nodiscard]] nlohmann::ordered_json to_json(const EmulatedCounts& counts);
[[nodiscard]] std::optional<EmulatedCounts> emulated_counts_of(const nlohmann::json& json);

/// The evidence of the machine code for a difference.
struct SassEvidence {
    bool supports_cause = false;         ///< it confirms the known cause
    std::vector<std::string> citations;  ///< one per instruction, with its PTX and source lines
};

/// One kernel in one build: the GPU's counters and the emulator's counts.
struct ComparedCounters {
    EmulatedCounts emulated;
    std::vector<timing::Counters> counted;  ///< by launch; empty: not counted
    std::optional<SassEvidence> sass = {};  ///< nullopt: the counts are equal, or there is no SASS

    [[nodiscard]] timing::Counters emulator() const;
    [[nodiscard]] timing::Counters hardware() const;
    /// Wavefronts and sectors; counts of SASS, such as instructions, cannot be compared.
    [[nodiscard]] bool equal() const;
};

/// The most likely cause of a difference, from the counters alone; `all` contains the other builds.
[[nodiscard]] session::DifferenceCause cause_of(const ComparedCounters& one, const std::vector<ComparedCounters>& all);
/// A sentence about the difference; names its cause only if the SASS confirms it. Empty: there is no difference.
[[nodiscard]] std::string explanation(const ComparedCounters& one, const std::vector<ComparedCounters>& all);

/// Compares a recording's counters of these kernels with the emulator, which runs each as it was counted. Fails if the
/// recording lacks one.
[[nodiscard]] Result<std::vector<ComparedCounters>> compared_with(const timing::CounterRecording& recording,
                                                                  const CountersOptions& options, Progress& progress);

/// `sass`: a sentence on the machine code that the citations refer to, or on why there are none; may be empty.
[[nodiscard]] std::string counters_text(const timing::RecordingHeader& on, const std::vector<ComparedCounters>& all,
                                        const std::string& sass);
[[nodiscard]] std::string counters_json(const timing::RecordingHeader& on, const std::vector<ComparedCounters>& all,
                                        const std::string& sass);
[[nodiscard]] timing::CounterRecording recording_of(const timing::RecordingHeader& on,
                                                    const std::vector<ComparedCounters>& all);

}  // namespace lanescope::cli
