// What the Timing panel looks at: the recordings at hand, which of them is chosen, and a measurement under way. No
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

/// "38.5 µs", "1.24 ms".
[[nodiscard]] std::string time_text(double microseconds);

/// What to measure, and how `lanescope time` is asked for it.
struct Sweep {
    std::vector<std::string> kernels;
    std::vector<std::string> flags;  ///< "--n", "2^10,2^12", ...
    std::string what;                ///< "N from 2^10 to 2^28, blocks of 256"
};
/// What the chart needs, of the kernels that it shows.
[[nodiscard]] Sweep sweep_for(const scene::TimingView& view, std::vector<std::string> kernels);

class Timings {
  public:
    /// `folder`: a person's own recordings, read now and written to; empty: none are kept.
    explicit Timings(std::filesystem::path folder);

    [[nodiscard]] const timing::RecordingLibrary& library() const { return library_; }
    /// Index in the library; nothing where there is no recording at all.
    [[nodiscard]] std::optional<std::size_t> chosen() const { return chosen_; }
    void choose(std::size_t index);
    [[nodiscard]] const timing::Recording& recording() const;
    [[nodiscard]] scene::TimingSubject subject() const;
    /// Another number whenever there is something else to be seen.
    [[nodiscard]] std::uint64_t version() const { return version_; }

    /// A recording that a person brings; it is chosen.
    [[nodiscard]] Result<void> open(const std::filesystem::path& file);
    /// What was wrong with a person's own recordings when they were read.
    [[nodiscard]] const std::vector<Problem>& unreadable() const { return unreadable_; }

    // --- a measurement under way ---
    /// Runs this program's `time` beside the window; goes on where the last one of the same kind stopped.
    [[nodiscard]] Result<void> measure(const Sweep& sweep);
    /// The same with another program that speaks as `time --stream` does.
    [[nodiscard]] Result<void> follow(const ChildProcess::Command& command);
    /// Takes what has come. True when there is something new to be seen.
    bool poll();
    void cancel();
    [[nodiscard]] bool measuring() const { return child_.has_value(); }
    [[nodiscard]] const timing::Advance& advance() const { return advance_; }
    /// What has come of it so far.
    [[nodiscard]] const timing::Recording& growing() const { return growing_; }
    /// Why the last one could not go on; nothing while all is well.
    [[nodiscard]] const std::optional<Problem>& problem() const { return problem_; }
    void fail(Problem problem) { problem_ = std::move(problem); }
    void forget_problem() { problem_.reset(); }

  private:
    void take(const timing::Event& event);
    void finish(const Ending& ending);

    std::filesystem::path folder_;
    timing::RecordingLibrary library_;
    std::vector<Problem> unreadable_;
    std::vector<scene::Variant> variants_;
    std::optional<std::size_t> chosen_;
    std::uint64_t version_ = 0;
    std::optional<ChildProcess> child_;
    timing::Recording growing_;
    Sweep unfinished_;  // what was asked for last, until it has ended
    timing::Advance advance_;
    std::optional<Problem> problem_;
    bool ended_ = false;      // the child said that nothing is missing
    bool cancelled_ = false;  // by a person
};

}  // namespace lanescope::ui
