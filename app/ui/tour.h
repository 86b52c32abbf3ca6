// The one-minute tour: a few stops that show someone who has never seen Lanescope which lanes work, which banks
// collide, and what that costs. Each stop runs a kernel of the catalog, goes to a pass of it and brings a panel up; its
// words stand where the narration stands, until the person steps on their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lanescope::ui {

class Workspace;
class Shell;

struct TourStop {
    const char* program;  ///< of the catalog
    const char* block;    ///< threads, and as many elements as `n`
    const char* n;
    const char* pass;   ///< its label; the position is its start
    const char* panel;  ///< that is brought up
    const char* words;
};
[[nodiscard]] std::span<const TourStop> tour_stops();

class Tour {
  public:
    void begin(Shell& shell) { go(shell, 0); }
    void next(Shell& shell);  ///< behind the last stop the tour is over
    void back(Shell& shell);
    void end(Shell& shell);
    /// Once a frame: goes to the stop's place as soon as its kernel has run.
    void follow(Shell& shell);

    [[nodiscard]] bool running() const { return stop_.has_value(); }
    [[nodiscard]] std::size_t stop() const { return stop_.value_or(0); }
    /// What the stop says; empty once the person has moved on from it.
    [[nodiscard]] std::string_view words(const Workspace& workspace) const;

  private:
    void go(Shell& shell, std::size_t stop);

    std::optional<std::size_t> stop_;
    bool awaited_ = false;     // the stop's kernel runs
    std::uint64_t shown_ = 0;  // Shown::id of the stop
    std::size_t position_ = 0;
};

}  // namespace lanescope::ui
