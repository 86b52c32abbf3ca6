// The breakpoints of a program -> their lines in the texts of a run, and the steps of a block before which they stop.
// As in cuda-gdb, any warp stops: at a CUDA line when it enters the line, at a PTX line at each execution.
#pragma once

#include "analysis/panels/line_visits.h"
#include "analysis/panels/step_condition.h"
#include "base/ids.h"
#include "base/result.h"
#include "ui/breakpoint.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace lanescope::ui {

struct Shown;

class Breakpoints {
  public:
    /// Finds the program's breakpoints in the texts of a run, when either has changed. Without it, there are none.
    void follow(const Shown& shown, const std::vector<Breakpoint>& kept);

    /// A breakpoint whose line exists in this run's text.
    struct Placed {
        std::size_t kept = 0;    ///< index of the Breakpoint
        std::uint32_t line = 0;  ///< in this run's text: the line of the same text nearest to the original
        std::size_t visits = 0;  ///< in the block that is shown, regardless of the condition
        analysis::StepCondition condition;
        std::string problem;  ///< why the condition cannot hold in this run; empty: it can
    };
    /// `file`: of Origin::other_sources, empty: the main source; PTX has no file.
    [[nodiscard]] const Placed* at(bool ptx, std::string_view file, std::uint32_t line) const;
    [[nodiscard]] const std::vector<Breakpoint>& kept() const { return kept_; }

    struct Stop {
        std::uint32_t launch = 0;
        std::size_t position = 0;  ///< index into the block's steps
        WarpId warp;
        std::optional<unsigned> lane;  ///< the first for which the condition holds; nothing: there is no condition
        std::uint32_t line = 0;
        bool ptx = false;
    };
    /// The nearest stop of the block that is shown in [from, past_last), from the front or from the back.
    [[nodiscard]] std::optional<Stop> find(const Shown& shown, std::size_t from, std::size_t past_last, bool forwards);
    /// The same over all steps of a block of another launch.
    [[nodiscard]] std::optional<Stop> find_in_launch(const Shown& shown, std::uint32_t launch, BlockId block,
                                                     bool forwards);

  private:
    /// The visits of a block's warps to the lines of placed_.
    [[nodiscard]] std::vector<analysis::LineVisit> visits_of(const Shown& shown, std::uint32_t launch,
                                                             BlockId block) const;
    [[nodiscard]] std::optional<Stop> stop_at(const Shown& shown, std::uint32_t launch, BlockId block,
                                              const analysis::LineVisit& visit);

    std::uint64_t followed_ = 0;  // Shown::id
    std::vector<Breakpoint> kept_;
    std::vector<Placed> placed_;
    std::vector<analysis::LineVisit> visits_;                           // of the block that is shown
    std::map<std::string, std::unique_ptr<analysis::SourceMap>> maps_;  // of the other sources, by name
    std::uint32_t table_launch_ = 0;
    std::unique_ptr<analysis::MemoryTable> table_;  // for conditions
};

}  // namespace lanescope::ui
