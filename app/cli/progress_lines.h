// The progress of a long run -> lines on standard error, while it runs: the same text as in the window, and the
// program's output.
#pragma once

#include "cli/cli.h"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

namespace lanescope::cli {

/// Prints progress during its lifetime, after an initial pause: on a terminal one line that is rewritten, elsewhere a
/// line at a time. Nothing else may write to standard error meanwhile.
class ProgressLines {
  public:
    explicit ProgressLines(Environment& environment);
    ~ProgressLines();
    ProgressLines(const ProgressLines&) = delete;
    ProgressLines& operator=(const ProgressLines&) = delete;

  private:
    void write();

    Environment& environment_;
    std::size_t printed_;  ///< bytes of the program's output that were written, or that belong to an earlier run
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread thread_;
};

}  // namespace lanescope::cli
