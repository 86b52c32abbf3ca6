// The data of the Timing panel: the recordings, the selected one, and a running measurement. No
// ImGui, no OpenGL: tests drive it without a display.
#pragma once

#include "base/child_process.h"
#include "scene/timing_plots.h"
#include "timing/recording_library.h"
#include "timing/stream.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::ui {

/// A measurement to make, as flags of `lanescope time`.
struct Sweep {
    std::vector<std::string> kernels;
    std::vector<std::string> flags;  ///< "--n", "2^10,2^12", ...
    std::string what;                ///< "N from 2¹⁰ to 2²⁸, blocks of 256"
};
/// The measurements that a chart needs for the kernels that it shows.
[[nodiscard]] Sweep sweep_for(const scene::TimingView& view, std::vector<std::string> kernels);

class Timings {
  public:
    /// `folder`: the user's own recordings, read and written; empty: none are kept.
    explicit Timings(std::filesystem::path folder);

    [[nodiscard]] const timing::RecordingLibrary& library() const { return library_; }
    /// Index in the library; nothing where there is no recording at all.
    [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }
    void choose(std::size_t index);
    [[nodiscard]] const timing::Recording& recording() const;
    [[nodiscard]] scene::TimingSubject subject() const;
    /// Changes whenever there is something new to show.
    [[nodiscard]] std::uint64_t version() const { return version_; }

    /// Opens a recording and selects it.
    [[nodiscard]] Result<void> open(const std::filesystem::path& file);
    /// Errors while reading the user's own recordings.
    [[nodiscard]] const std::vector<Problem>& unreadable() const { return unreadable_; }

    // --- a running measurement ---
    /// Runs `lanescope time` beside the window; resumes the last measurement of the same kind.
    [[nodiscard]] Result<void> measure(const Sweep& sweep);
    /// The same with another program that writes the output of `time --stream`.
    [[nodiscard]] Result<void> follow(const ChildProcess::Command& command);
    /// Takes new output. True when there is something new to show.
    bool poll();
    void cancel();
    [[nodiscard]] bool measuring() const { return child_.has_value(); }
    [[nodiscard]] const timing::Advance& advance() const { return advance_; }
    /// Its results so far.
    [[nodiscard]] const timing::Recording& growing() const { return growing_; }
    /// Why the last measurement failed; nothing otherwise.
    [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }
    void fail(Problem problem) { problem_ = std::move(problem); }
    void forget_problem() { problem_.reset(); }

  private:
    void take(const timing::Event& event);
    void finish(const Ending& ending);

    std::filesystem::path folder_;
    timing::RecordingLibrary library_;
    std::vector<Problem> unreadable_;
    std::optional<std::size_t> chosen_;
    std::uint64_t version_ = 0;
    std::optional<ChildProcess> child_;
    timing::Recording growing_;
    Sweep unfinished_;  // the last request, until it has ended
    timing::Advance advance_;
    std::optional<Problem> problem_;
    bool ended_ = false;      // the child process reported completion
    bool cancelled_ = false;  // by the user
};

}  // namespace lanescope::ui
