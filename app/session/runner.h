// Requests of the window -> runs, one at a time on a thread of its own; the newest request wins.
#pragma once

#include "session/run.h"

#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace lanescope::session {

/// Runs requests one at a time on a thread of its own; a newer one cancels the one before. No call waits for a run; a
/// cancelled run has no result. A program may have two: its first launch while it is running, and the whole run.
class Runner {
  public:
    Runner();
    ~Runner();
    Runner(const Runner&) = delete;
    Runner& operator=(const Runner&) = delete;

    void submit(Request request);  ///< also a trace file, by its path
    void cancel();
    void stop();  ///< the part of a program that has run is a result (Trace::cancelled)
    [[nodiscard]] bool busy() const;
    [[nodiscard]] bool has_answer() const;    ///< to be taken
    [[nodiscard]] float share() const;        ///< 0..1, below 0: not known
    [[nodiscard]] std::string doing() const;  ///< "compiling", "launch 12"; empty: not said
    /// Steps of the host code of the program in flight so far; null: none is.
    [[nodiscard]] std::shared_ptr<const LiveSteps> steps() const;
    [[nodiscard]] double seconds() const;  ///< since the request in flight began
    /// The newest result, once.
    [[nodiscard]] std::optional<std::expected<std::shared_ptr<const Run>, Refusal>> take();

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace lanescope::session
