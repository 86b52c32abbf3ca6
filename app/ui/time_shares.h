// The share of each pass in a run's estimated time; estimated in the background. No ImGui.
#pragma once

#include "session/compared_runs.h"
#include "session/run.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace lanescope::ui {

struct Shown;

class TimeShares {
  public:
    TimeShares();
    ~TimeShares();
    TimeShares(const TimeShares&) = delete;
    TimeShares& operator=(const TimeShares&) = delete;

    /// Requests the estimate of the run if it is another one, and takes finished estimates. A run that has not ended is
    /// not estimated.
    void follow(const std::shared_ptr<const session::Run>& run);
    [[nodiscard]] bool busy() const;
    /// The shares of the requested run; null until they are known.
    [[nodiscard]] const session::TimeOfPasses* known() const { return known_ ? &*known_ : nullptr; }
    /// Percent of the estimated time that all blocks spend in each pass of the block that is shown; empty: there is no
    /// estimate.
    [[nodiscard]] std::vector<std::optional<double>> of_passes(const Shown& shown) const;
    /// The share of a line of the source, as a sentence, or why it has none. Empty while it is being estimated.
    [[nodiscard]] std::string of_line(const Shown& shown, std::uint32_t line) const;

  private:
    struct Work;

    std::unique_ptr<Work> work_;
    std::shared_ptr<const session::Run> asked_;
    std::optional<session::TimeOfPasses> known_;
};

}  // namespace lanescope::ui
