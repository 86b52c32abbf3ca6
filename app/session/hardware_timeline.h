// The recorded timelines of a run's program: when a GPU ran each block.
#pragma once

#include "session/run.h"
#include "timing/timeline.h"

#include <memory>
#include <string>
#include <vector>

namespace lanescope::session {

struct HardwareTimeline {
    std::shared_ptr<const timing::Timeline> timeline;  ///< keeps its recording
    std::string origin;                                ///< "NVIDIA H200, driver 580.95.05, NVRTC 13.0, 2026-11-25"
    bool same_launch = false;  ///< the run's own launches in the run's view, on its input; else another of the program
};
/// The same launch first, then those with the most blocks. Of the recordings of one launch and view, the first with the
/// waits of warps is listed, then the first without.
[[nodiscard]] std::vector<HardwareTimeline> hardware_timelines(const Run& run,
                                                               const timing::TimelineRecordings& recordings);

/// Input, arguments, compiler options, a chosen compute capability, dynamic shared memory, what main gets and reads:
/// equal in runs of one launch.
[[nodiscard]] std::string data_text(const Run& run);

/// A launch as a recording describes it.
struct RecordedLaunch {
    std::string view;  ///< "written", "compiled"
    std::uint64_t n = 0;
    std::uint32_t block = 0;
    std::string input;  ///< data_text()
};
/// How a run differs from it: "n = 16 instead of 1,023, blocks of 4 threads instead of 256"; empty: in none of these.
[[nodiscard]] std::string how_run_differs(const Run& run, const RecordedLaunch& recorded);
/// The same for a timeline, with grids and the launches of a program. Not empty where it is not of the same launch.
[[nodiscard]] std::string how_run_differs(const Run& run, const timing::Timeline& recorded);

/// The command that records this run's launch: "lanescope timeline reduce/sequential --view written --n 16 ...".
[[nodiscard]] std::vector<std::string> timeline_arguments(const Run& run);

/// The command that times this run's launch: "lanescope time sums.cu --view written --n 4096 --block 256 ...".
[[nodiscard]] std::vector<std::string> timing_arguments(const Run& run);

}  // namespace lanescope::session
