// Records when this machine's GPU runs each block of the launch on screen: runs `lanescope timeline` beside the window,
// and keeps the recording among the user's own. No ImGui, no OpenGL.
#pragma once

#include "base/child_process.h"
#include "session/run.h"
#include "ui/collected_child.h"

#include <filesystem>
#include <memory>
#include <string>

namespace lanescope::ui {

/// The command line of `lanescope timeline` for a run; its recording goes to standard output.
[[nodiscard]] ChildProcess::Command timeline_command(const session::Run& run);

class TimelineRecorder {
  public:
    /// Recordings are written to `folder`, which is made; empty: the folder that timing::all_timelines() reads.
    explicit TimelineRecorder(std::filesystem::path folder = {});

    /// Starts the recording. A failure to start is said().
    void start(const std::shared_ptr<const session::Run>& run);
    /// The same with another program that writes the output of `timeline --json`.
    void follow(const std::shared_ptr<const session::Run>& run, const ChildProcess::Command& command);
    /// Ends the process; said() stays empty.
    void cancel();
    /// The recording is of this run: another one cancels it.
    void keep_to(const std::shared_ptr<const session::Run>& run);
    /// Takes new output. True when it has ended: with a file in the folder, or with the reason in said().
    bool poll();

    [[nodiscard]] bool running() const { return child_.running(); }
    /// The last recording's outcome, a sentence or two; empty before the first, and while one runs.
    [[nodiscard]] const std::string& said() const { return said_; }
    [[nodiscard]] bool recorded() const { return recorded_; }          ///< the last one was written
    [[nodiscard]] unsigned recordings() const { return recordings_; }  ///< the number of recordings written

  private:
    void read(const CollectedChild::Ended& ended);

    std::filesystem::path folder_;
    std::shared_ptr<const session::Run> run_;  // being recorded
    CollectedChild child_;
    std::string said_;
    bool recorded_ = false;
    unsigned recordings_ = 0;
};

}  // namespace lanescope::ui
