// The progress of a long run -> lines on standard error, while it runs: the words that the window shows, and what the
// program prints.
#pragma once

#include "cli/cli.h"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

namespace lanescope::cli {

/// As long as it lives, from a first pause on: on a terminal one line that is rewritten, elsewhere a line at a time.
/// Nothing else writes to standard error meanwhile.
class ProgressLines {
  public:
    explicit ProgressLines(Environment& environment);
    ~ProgressLines();
    ProgressLines(const ProgressLines&) = delete;
    ProgressLines& operator=(const ProgressLines&) = delete;

  private:
    void write();

    Environment& environment_;
    std::size_t printed_;  ///< bytes of what the program prints that are written, or are of a run before
    std::mutex mutex_;
    std::condition_variable ended_;
    bool end_ = false;
    std::thread thread_;
};

}  // namespace lanescope::cli
