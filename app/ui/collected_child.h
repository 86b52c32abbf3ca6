// A child process whose output is read when it has ended: what it wrote, how it ended, its error messages.
#pragma once

#include "base/child_process.h"

#include <optional>
#include <string>

namespace lanescope::ui {

class CollectedChild {
  public:
    struct Ended {
        std::string output;  ///< lines, each with its end
        Ending ending;
        std::string errors;
    };
    /// Runs one process at a time: ends the one that still runs.
    [[nodiscard]] Result<void> start(const ChildProcess::Command& command);
    void cancel();  ///< ends it, where one runs
    [[nodiscard]] bool running() const { return child_.has_value(); }
    /// Takes new output. Returns a value once: when the process has ended.
    [[nodiscard]] std::optional<Ended> poll();

  private:
    std::optional<ChildProcess> child_;
    std::string output_;
};

}  // namespace lanescope::ui
