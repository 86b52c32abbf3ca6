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

/// Input, arguments, compiler options, dynamic shared memory, what main gets and reads: equal in runs of one launch.
[[nodiscard]] std::string data_text(const Run& run);

/// The launch of a run that is not recorded: "as written, n = 16, 1 block of 16 threads".
[[nodiscard]] std::string launch_text(const Run& run);

/// The command that records this run's launch: "lanescope timeline reduce/sequential --view written --n 16 ...".
[[nodiscard]] std::vector<std::string> timeline_arguments(const Run& run);

}  // namespace lanescope::session
