#include "ui/time_shares.h"

#include "base/newest_asked.h"
#include "ui/workspace.h"

#include <algorithm>

namespace lanescope::ui {

struct TimeShares::Work {
    NewestAsked<std::shared_ptr<const session::Run>, session::TimeOfPasses> asked{
        [](const auto& run, Progress& progress, const auto& give) {
            const timing::RecordingLibrary library = timing::shipped_recordings();
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

bool TimeShares::busy() const { return work_->asked.busy() || work_->asked.has_answers(); }

std::vector<std::optional<double>> TimeShares::of_passes(const Shown& shown) const {
    std::vector<std::optional<double>> shares;
    const std::vector<analysis::GridPass>& grid = shown.analysis().passes;
    if (asked_ != shown.run || !known_ || !known_->total || known_->passes.size() != grid.size()) return shares;
    for (const analysis::Pass& pass : shown.passes->passes) {
        const auto found = std::ranges::find_if(grid, [&](const analysis::GridPass& each) {
            return each.launch == shown.launch && each.label == pass.label && each.first_epoch <= pass.last_epoch &&
                   pass.first_epoch <= each.last_epoch;
        });
        std::optional<double>& share = shares.emplace_back();
        if (found == grid.end()) continue;
        if (const auto time = known_->passes[static_cast<std::size_t>(found - grid.begin())])
            share = 100 * *time / *known_->total;
    }
    return shares;
}

}  // namespace lanescope::ui
