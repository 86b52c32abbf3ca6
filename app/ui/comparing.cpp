#include "ui/comparing.h"

#include "base/newest_asked.h"
#include "session/compared_runs.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace lanescope::ui {

struct Comparing::Work {
    struct Question {
        std::shared_ptr<const session::Run> one, other;
        analysis::Comparison comparison;
        std::filesystem::path folder;
    };
    NewestAsked<Question, timing::ComparedTimes> asked{
        [](const Question& question, Progress& progress, const auto& give) {
            timing::RecordingLibrary library = timing::shipped_recordings();
            if (!question.folder.empty()) (void)library.add_folder(question.folder);
            timing::ComparedTimes times =
                session::times_of(*question.one, *question.other, question.comparison, library.all(), progress);
            if (!progress.cancelled()) give(std::move(times));
        }};
};

namespace {

/// The place in `to` that corresponds to the position in `from`: as far in the pass `counterpart`.
std::size_t place_in(const analysis::Pass& from, std::size_t position, const analysis::Pass& to) {
    const auto length = static_cast<double>(from.past_last - from.first);
    const double share = length > 0 ? static_cast<double>(position - from.first) / length : 0;
    const auto steps = static_cast<double>(to.past_last - to.first);
    // The end of a pass is the start of the next one.
    const double most = std::max(steps - 1, 0.0);
    return to.first + static_cast<std::size_t>(std::min(std::round(share * steps), most));
}

using Side = std::optional<std::size_t> analysis::PassPair::*;

/// Moves `to` to the place that corresponds to `from`; where the pass has no counterpart, after the last pass before
/// it that has one.
void move(const Workspace& from, Workspace& to, const analysis::AlignedPasses& aligned, Side of_from, Side of_to) {
    const Shown &one = *from.shown(), &other = *to.shown();
    if (from.position() >= one.passes->steps.size()) return to.seek_exactly(other.passes->steps.size());
    const std::size_t pass = from.pass();
    const auto pair = std::ranges::find(aligned.pairs, std::optional(pass), of_from);
    if (pair == aligned.pairs.end()) return;
    if (const auto counterpart = (*pair).*of_to) {
        const analysis::Pass& target = other.passes->passes[*counterpart];
        to.seek(place_in(one.passes->passes[pass], from.position(), target));
        // The followed warp's step before that place may be one of the pass before.
        if (to.position() < target.first) to.seek_pass(*counterpart);
        return;
    }
    std::size_t position = 0;
    for (auto before = pair; before != aligned.pairs.begin();) {
        if (const auto earlier = (*--before).*of_to) {
            position = other.passes->passes[*earlier].past_last;
            break;
        }
    }
    to.seek_exactly(position);
}

}  // namespace

Comparing::Comparing(std::filesystem::path folder) : folder_(std::move(folder)), work_(std::make_unique<Work>()) {}

Comparing::~Comparing() = default;

void Comparing::begin(const Workspace& one, LaunchValues values) {
    end();
    other_ = std::make_unique<Workspace>(one.settings);
    other_->permit_as(one);
    other_->begin(std::move(values));
    ++version_;
}

void Comparing::end() {
    work_->asked.cancel();
    other_.reset();
    run_of_one_.reset();
    run_of_other_.reset();
    comparison_.reset();
    times_.reset();
    names_ = {};
    caveat_.clear();
    blocks_ = {};
    aligned_ = {};
    ++version_;
}

bool Comparing::is_busy() const {
    return other_ != nullptr &&
           (other_->busy() || other_->has_answer() || work_->asked.busy() || work_->asked.has_answers());
}

Comparing::Seen Comparing::seen_of(const Workspace& workspace) {
    return {workspace.shown() == nullptr ? 0 : workspace.shown()->id, workspace.position()};
}

void Comparing::compare_runs(const Workspace& one) {
    const auto& run = one.shown()->run;
    const auto& other = other_->shown()->run;
    if (run == run_of_one_ && other == run_of_other_) return;
    run_of_one_ = run;
    run_of_other_ = other;
    comparison_ = session::comparison_of(*run, *other);
    names_ = session::names_of(*run, *other);
    caveat_ = session::caveat_of(*run, *other);
    times_.reset();
    ++version_;
    // A program that still runs is compared as far as it has run; its times follow when it has ended.
    if (run->trace().running || other->trace().running) return;
    work_->asked.ask({.one = run, .other = other, .comparison = *comparison_, .folder = folder_});
}

void Comparing::align_blocks(const Workspace& one) {
    const std::pair ids(one.shown()->id, other_->shown()->id);
    if (ids == blocks_) return;
    blocks_ = ids;
    aligned_ = {};
    // A launch beyond the other program's last one has no counterpart.
    if (one.shown()->launch == other_->shown()->launch)
        aligned_ = analysis::aligned(analysis::measured_passes(*one.shown()->passes),
                                     analysis::measured_passes(*other_->shown()->passes));
}

void Comparing::follow(Workspace& one) {
    if (other_ == nullptr) return;
    other_->settings.source_view = one.settings.source_view;
    other_->settings.motion = one.settings.motion;
    other_->poll();
    for (timing::ComparedTimes& times : work_->asked.take()) {
        times_ = std::move(times);
        ++version_;
    }
    if (one.shown() == nullptr || other_->shown() == nullptr) return;
    compare_runs(one);
    const bool one_moved = seen_of(one) != one_seen_, other_moved = seen_of(*other_) != other_seen_;
    if (one_moved || other_moved) {
        const bool by_other =
            other_moved && !one_moved && one_seen_.id == one.shown()->id && other_seen_.id == other_->shown()->id;
        // Launches correspond by their numbers.
        Workspace& to = by_other ? one : *other_;
        const Workspace& from = by_other ? *other_ : one;
        if (to.shown()->launch != from.shown()->launch && from.shown()->launch < to.shown()->trace().launches.size())
            to.show_launch(from.shown()->launch);
        align_blocks(one);
        using Pair = analysis::PassPair;
        if (aligned_.pairs.empty()) {
            to.finish();
        } else if (by_other) {
            move(*other_, one, aligned_, &Pair::other, &Pair::one);
        } else {
            move(one, *other_, aligned_, &Pair::one, &Pair::other);
        }
    }
    one_seen_ = seen_of(one);
    other_seen_ = seen_of(*other_);
}

void Comparing::swap(std::unique_ptr<Workspace>& one) {
    if (other_ == nullptr) return;
    one->play(false);
    std::swap(one, other_);
    // The look of the window stays what it is.
    std::swap(one->settings, other_->settings);
    one_seen_ = seen_of(*one);
    other_seen_ = seen_of(*other_);
    blocks_ = {};
    if (one->shown() != nullptr && other_->shown() != nullptr) {
        align_blocks(*one);
        compare_runs(*one);
    }
}

std::optional<std::size_t> Comparing::row(const Workspace& one) const {
    if (!comparison_ || one.shown() == nullptr || one.shown()->passes->passes.empty()) return std::nullopt;
    const std::uint32_t launch = one.shown()->launch;
    const analysis::Pass& current = one.shown()->passes->passes[one.pass()];
    const auto is_current = [&](const analysis::ComparedPass& each) {
        return each.one && each.one->launch == launch && each.one->pass.label == current.label &&
               each.one->pass.first_epoch <= current.last_epoch && current.first_epoch <= each.one->pass.last_epoch;
    };
    const auto found = std::ranges::find_if(comparison_->passes, is_current);
    if (found == comparison_->passes.end()) return std::nullopt;
    return static_cast<std::size_t>(found - comparison_->passes.begin());
}

void Comparing::seek_row(Workspace& one, std::size_t row) {
    if (!comparison_ || row >= comparison_->passes.size() || other_ == nullptr) return;
    const analysis::ComparedPass& pair = comparison_->passes[row];
    Workspace& moved = pair.one ? one : *other_;
    const analysis::MeasuredPass& wanted = pair.one ? *pair.one : *pair.other;
    if (moved.shown() == nullptr) return;
    if (moved.shown()->launch != wanted.launch) moved.show_launch(wanted.launch);
    const auto& passes = moved.shown()->passes->passes;
    const auto found = std::ranges::find_if(passes, [&](const analysis::Pass& each) {
        return each.label == wanted.pass.label && each.first_epoch <= wanted.pass.last_epoch &&
               wanted.pass.first_epoch <= each.last_epoch;
    });
    if (found != passes.end()) moved.seek_pass(static_cast<std::size_t>(found - passes.begin()));
}

std::optional<std::size_t> Comparing::counterpart(std::size_t pass_of_one) const {
    const auto pair = std::ranges::find(aligned_.pairs, std::optional(pass_of_one), &analysis::PassPair::one);
    return pair == aligned_.pairs.end() ? std::nullopt : pair->other;
}

bool Comparing::have_counterparts(const Workspace& one) const {
    if (other_ == nullptr || one.shown() == nullptr || other_->shown() == nullptr) return true;
    // B stands after its last counterpart where A's pass has none.
    const bool at_end = one.position() >= one.shown()->passes->steps.size();
    return at_end || counterpart(one.pass()) == other_->pass();
}

}  // namespace lanescope::ui
