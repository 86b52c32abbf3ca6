// The one-minute tour: a few stops that introduce Lanescope. Each stop runs a kernel of the catalog, goes to a pass and
// opens a panel; its text replaces the narration until the user steps.
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
    const char* pass;   ///< its label; the stop is at its start
    const char* panel;  ///< to open
    const char* words;
    bool at_end = false;  ///< the stop is at the pass's end, where its counts are complete
};
[[nodiscard]] std::span<const TourStop> tour_stops();

class Tour {
  public:
    void begin(Shell& shell) { go(shell, 0); }
    void next(Shell& shell);  ///< after the last stop the tour ends
    void back(Shell& shell);
    void again(Shell& shell) { go(shell, stop()); }  ///< returns to the stop after a step
    void end(Shell& shell);                          ///< returns to the launch and the place at which the tour began
    /// Call once a frame: goes to the stop's position as soon as its kernel has run.
    void follow(Shell& shell);

    [[nodiscard]] bool running() const { return stop_.has_value(); }
    [[nodiscard]] std::size_t stop() const { return stop_.value_or(0); }
    /// The stop's text; empty once the user has moved on.
    [[nodiscard]] std::string_view words(const Workspace& workspace) const;
    /// The panel that this text is about; empty once the user has moved on.
    [[nodiscard]] std::string_view subject(const Workspace& workspace) const;

  private:
    void go(Shell& shell, std::size_t stop);

    std::optional<std::size_t> stop_;
    bool awaited_ = false;     // the stop's kernel runs
    std::uint64_t shown_ = 0;  // Shown::id of the stop
    std::size_t position_ = 0;
};

}  // namespace lanescope::ui
