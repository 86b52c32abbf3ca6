// The steps of a program's host code while it runs -> lines to read, as they come.
#pragma once

#include "analysis/panels/program_lines.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::session {

/// The steps of one run. The program's thread adds, another thread reads; every member is thread-safe.
class LiveSteps {
  public:
    /// If a program has more steps, the last ones are kept, and the first line says how many came before them.
    static constexpr std::size_t most_lines = 2000;

    void add(analysis::ProgramLine line);
    /// A launch that runs, and is marked so.
    void begin_launch(analysis::ProgramLine line);
    /// The launch has ended. Adds its line if it was not begun.
    void end_launch(analysis::ProgramLine line);
    void print(std::string_view text);

    /// The number of changes so far; 0: no step has come.
    [[nodiscard]] std::uint64_t changes() const;
    [[nodiscard]] std::vector<analysis::ProgramLine> lines() const;

  private:
    void changed();

    mutable std::mutex mutex_;
    std::vector<analysis::ProgramLine> lines_;
    analysis::PrintedLines printed_;
    std::size_t dropped_ = 0;
    std::optional<std::size_t> running_;  // of lines_: the launch that runs
    std::uint64_t changes_ = 0;
};

}  // namespace lanescope::session
