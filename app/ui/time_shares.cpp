#include "ui/time_shares.h"

#include "base/newest_asked.h"
#include "ui/shown.h"

#include <fmt/format.h>

namespace lanescope::ui {

struct TimeShares::Work {
    NewestAsked<std::shared_ptr<const session::Run>, session::TimeOfPasses> asked{
        [](const auto& run, Progress& progress, const auto& give) {
            const timing::RecordingLibrary& library = timing::shipped_recordings();
            session::TimeOfPasses found = session::time_of_passes(*run, library.all(), progress);
            if (!progress.cancelled()) give(std::move(found));
        }};
};

TimeShares::TimeShares() : work_(std::make_unique<Work>()) {}

TimeShares::~TimeShares() = default;

void TimeShares::follow(const std::shared_ptr<const session::Run>& run) {
    if (run != asked_ && !run->trace().running) {
        asked_ = run;
        known_.reset();
        work_->asked.ask(run);
    }
    for (session::TimeOfPasses& found : work_->asked.take()) known_ = std::move(found);
}

bool TimeShares::busy() const { return work_->asked.is_pending(); }

std::vector<std::optional<double>> TimeShares::of_passes(const Shown& shown) const {
    if (asked_ != shown.run || !known_) return {};
    return session::pass_percents(*known_, shown.analysis(), *shown.passes);
}

std::string TimeShares::of_line(const Shown& shown, std::uint32_t line) const {
    if (asked_ != shown.run || !known_) return {};
    const auto found = known_->line_percent.find(line);
    if (found == known_->line_percent.end()) {
        if (shown.trace().origin.view != trace::View::compiled)
            return "Its share of the time is estimated only for the view as compiled.";
        return known_->total && !known_->line_percent.empty() ? "It has no share of the estimated time." : "";
    }
    return fmt::format("{:.1f} % of the estimated time{} (error {:.0f} %).", found->second,
                       shown.trace().all_recorded() ? "" : ", by the recorded blocks", 100 * known_->median_error);
}

}  // namespace lanescope::ui
