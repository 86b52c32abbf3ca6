// A GPU's own counters of a kernel, beside the emulator's counts of the same launch.
#pragma once

#include "session/run.h"
#include "timing/counters.h"

#include <optional>
#include <string>
#include <vector>

namespace lanescope::session {

/// The emulator's counts of each launch as the hardware's counters have them, all blocks together. Conflicts of loads
/// and stores, and the wavefronts of generic atomics on global memory, only if every block of the launch was recorded.
[[nodiscard]] std::vector<timing::Counters> emulated_counters(const Run& run);
[[nodiscard]] timing::Counters sum(const std::vector<timing::Counters>& launches);

/// A quantity that hardware and emulator define alike: "wavefronts of shared loads". Wavefronts, sectors and, where
/// both have them, conflicts are compared; counts of SASS, such as instructions, cannot be.
struct CountedAlike {
    std::string words;
    std::uint64_t hardware = 0, emulator = 0;
};
[[nodiscard]] std::vector<CountedAlike> counted_alike(const timing::Counters& hardware,
                                                      const timing::Counters& emulator);
[[nodiscard]] bool are_equal(const timing::Counters& hardware, const timing::Counters& emulator);

/// The counted build: one kernel in one build.
struct CountedBuild {
    std::string kernel;
    trace::View view = trace::View::written;
    bool optimized = true;  ///< false: the driver's compiler at -O0
    timing::Counters hardware, emulator;
};
/// The known causes of a difference.
enum class DifferenceCause : std::uint8_t {
    none,
    compiler,          ///< equal at -O0
    waiting,           ///< loops that wait for other threads
    generic_atomics,   ///< counted as shared, although their address is global
    generic_accesses,  ///< as written: loads and stores that stall each other
    swap_loops,        ///< atomics by load and compare-and-swap, whose rounds depend on values and on other warps
    arbitration,       ///< between warps
    widths,            ///< conflicts alone differ
};
/// `none` for counters that are equal, too.
[[nodiscard]] DifferenceCause cause_of_difference(const CountedBuild& build, const CountedBuild* unoptimized);
/// A sentence; empty for `none`.
[[nodiscard]] std::string text_of(DifferenceCause cause);
/// "516 wavefronts of shared loads, the emulator 536; ..."; empty without any.
[[nodiscard]] std::string differences_text(const CountedBuild& build);
/// The differences and their cause, a sentence each; empty without any. `unoptimized`: the same kernel and view at
/// -O0, where that was counted.
[[nodiscard]] std::string why_they_differ(const CountedBuild& build, const CountedBuild* unoptimized);

/// The recordings of counters that ship with the program, those of the emulated device first.
[[nodiscard]] const std::vector<timing::CounterRecording>& shipped_counters();

/// A recording's counters for the kernel and view of a run.
struct HardwareCounts {
    std::string device, origin;  ///< "NVIDIA H200"; driver, toolkit, date and command
    /// The counted launch, and whether it is the run's.
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string input;
    bool same_launch = false;
    std::string instead;  ///< how the run differs where it is another launch: "n = 16 instead of 1,023"
    std::vector<CountedBuild>
        builds;  ///< of the view; -O0 before the usual one. `emulator` holds where it is the same launch
    std::vector<std::string> why;  ///< by build, see why_they_differ
};
/// The counts of the first shipped recording that has them.
[[nodiscard]] std::optional<HardwareCounts> hardware_counts(const Run& run);

}  // namespace lanescope::session
