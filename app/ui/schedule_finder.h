// Searches for a schedule under which a race of the run that is shown makes the result wrong, on its own thread. No
// ImGui, no OpenGL: tests drive it without a display.
#pragma once

#include "base/progress.h"
#include "session/run.h"
#include "session/schedule_search.h"

#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace lanescope::ui {

class ScheduleFinder {
  public:
    ScheduleFinder() = default;
    ~ScheduleFinder() { stop(); }
    ScheduleFinder(const ScheduleFinder&) = delete;
    ScheduleFinder& operator=(const ScheduleFinder&) = delete;

    /// Starts the search for Trace::findings[race]; ends one that is under way.
    void start(std::shared_ptr<const session::Run> run, std::size_t race);
    void cancel();
    /// The result holds for this run only: another run cancels the search and clears the result.
    void keep_to(const std::shared_ptr<const session::Run>& run);
    /// Takes the result. True when the search has just ended.
    bool poll();

    [[nodiscard]] bool running() const { return task_ != nullptr; }
    [[nodiscard]] float share() const { return task_ ? task_->progress.share() : -1; }  ///< 0..1; below 0: unknown
    /// The race that is or was searched for, index in Trace::findings.
    [[nodiscard]] std::optional<std::size_t> race() const { return race_; }
    /// The result in a sentence or two; empty before there is one.
    [[nodiscard]] const std::string& said() const { return said_; }
    /// The schedule that was found, once.
    [[nodiscard]] std::optional<std::string> take_schedule() { return std::exchange(schedule_, std::nullopt); }

  private:
    struct Task {
        Progress progress;
        std::atomic<bool> ended = false;
        std::string said;
        std::optional<std::string> schedule;
        std::jthread thread;
    };
    void stop();

    std::shared_ptr<const session::Run> run_;
    std::unique_ptr<Task> task_;
    std::optional<std::size_t> race_;
    std::string said_;
    std::optional<std::string> schedule_;
};

}  // namespace lanescope::ui
