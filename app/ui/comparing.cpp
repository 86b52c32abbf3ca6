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

Comparing::Comparing(std::filesystem::path folder) : folder_(std::move(folder)) {}

Comparing::~Comparing() = default;

void Comparing::begin(const Workspace& one, LaunchValues values) {
    end();
    add(one, std::move(values));
}

void Comparing::add(const Workspace& one, LaunchValues values) {
    auto other = std::make_unique<Other>();
    other->work = std::make_unique<Work>();
    other->workspace = std::make_unique<Workspace>(one.settings);
    other->workspace->permit_as(one);
    other->workspace->begin(std::move(values));
    others_.push_back(std::move(other));
    ++version_;
}

void Comparing::close_first() {
    if (running()) others_.erase(others_.begin());
    // The letters of the others have changed.
    for (const auto& other : others_) other->run.reset();
    ++version_;
}

void Comparing::end() {
    others_.clear();
    ++version_;
}

void Comparing::bring_forward(std::size_t number) {
    if (number == 0 || number >= others()) return;
    std::swap(others_.front(), others_[number]);
    for (const auto& other : others_) other->run.reset();
    ++version_;
}

bool Comparing::is_busy() const {
    return std::ranges::any_of(
        others_, [](const auto& other) { return other->workspace->busy() || other->work->asked.is_pending(); });
}

void Comparing::look_at_disk() {
    for (const auto& other : others_)
        if (other->watch.changed(other->workspace->file())) other->workspace->reload();
}

const std::pair<std::string, std::string>& Comparing::names() const {
    static const std::pair<std::string, std::string> none;
    return running() ? others_.front()->names : none;
}

std::vector<std::string> Comparing::all_names(const Workspace& one) const {
    std::vector<std::shared_ptr<const session::Run>> runs;
    if (one.shown() != nullptr) runs.push_back(one.shown()->run);
    for (const auto& other : others_)
        if (other->workspace->shown() != nullptr) runs.push_back(other->workspace->shown()->run);
    if (runs.size() == others() + 1) return session::names_of(runs);
    std::vector<std::string> asked{one.form().ran()[Field::program]};
    for (const auto& other : others_) asked.push_back(other->workspace->form().values()[Field::program]);
    return asked;
}

Comparing::Seen Comparing::seen_of(const Workspace& workspace) {
    return {workspace.shown() == nullptr ? 0 : workspace.shown()->id, workspace.position()};
}

char Comparing::letter_of(const Other& other) const {
    const auto at = std::ranges::find(others_, &other, [](const auto& each) { return each.get(); });
    return static_cast<char>('B' + (at - others_.begin()));
}

void Comparing::compare_runs(const Workspace& one, Other& other) {
    const auto& run_of_one = one.shown()->run;
    const auto& run = other.workspace->shown()->run;
    if (run_of_one == other.run_of_one && run == other.run) return;
    other.run_of_one = run_of_one;
    other.run = run;
    other.comparison = session::comparison_of(*run_of_one, *run);
    other.names = session::names_of(*run_of_one, *run);
    other.caveat = session::caveat_of(*run_of_one, *run, letter_of(other));
    other.times.reset();
    ++version_;
    // A program that still runs is compared as far as it has run; its times follow when it has ended.
    if (run_of_one->trace().running || run->trace().running) return;
    other.work->asked.ask({.one = run_of_one, .other = run, .comparison = *other.comparison, .folder = folder_});
}

void Comparing::align_blocks(const Workspace& one, Other& other) {
    const Shown &shown = *one.shown(), &of_other = *other.workspace->shown();
    const std::pair ids(shown.id, of_other.id);
    if (ids == other.blocks) return;
    other.blocks = ids;
    other.aligned = {};
    // A launch beyond the other program's last one has no counterpart.
    if (shown.launch == of_other.launch)
        other.aligned =
            analysis::aligned(analysis::measured_passes(*shown.passes), analysis::measured_passes(*of_other.passes));
}

// Launches correspond by their numbers.
void Comparing::move_to_other(Workspace& one, Other& other) {
    const std::uint32_t launch = other.workspace->shown()->launch;
    if (one.shown()->launch != launch && launch < one.shown()->trace().launches.size()) one.show_launch(launch);
    align_blocks(one, other);
    if (other.aligned.pairs.empty()) return one.finish();
    move(*other.workspace, one, other.aligned, &analysis::PassPair::other, &analysis::PassPair::one);
}

void Comparing::move_to_one(const Workspace& one, Other& other) {
    Workspace& to = *other.workspace;
    const std::uint32_t launch = one.shown()->launch;
    if (to.shown()->launch != launch && launch < to.shown()->trace().launches.size()) to.show_launch(launch);
    align_blocks(one, other);
    if (other.aligned.pairs.empty()) return to.finish();
    move(one, to, other.aligned, &analysis::PassPair::one, &analysis::PassPair::other);
}

void Comparing::follow(Workspace& one) {
    if (!running()) return;
    for (const auto& other : others_) {
        other->workspace->settings.source_view = one.settings.source_view;
        other->workspace->settings.motion = one.settings.motion;
        other->workspace->poll();
        for (timing::ComparedTimes& times : other->work->asked.take()) {
            other->times = std::move(times);
            ++version_;
        }
    }
    if (one.shown() == nullptr) return;
    const bool one_moved = seen_of(one) != one_seen_, one_stays = !one_moved && one_seen_.id == one.shown()->id;
    Other* moved = nullptr;  // A follows it
    for (const auto& other : others_) {
        if (other->workspace->shown() == nullptr) continue;
        compare_runs(one, *other);
        const Seen now = seen_of(*other->workspace);
        if (moved == nullptr && one_stays && now != other->seen && now.id == other->seen.id) moved = other.get();
    }
    if (moved != nullptr) move_to_other(one, *moved);
    for (const auto& other : others_) {
        if (other->workspace->shown() == nullptr) continue;
        const bool follows = one_moved || moved != nullptr || seen_of(*other->workspace) != other->seen;
        if (other.get() != moved && follows) move_to_one(one, *other);
        other->seen = seen_of(*other->workspace);
    }
    one_seen_ = seen_of(one);
}

void Comparing::swap(std::unique_ptr<Workspace>& one) {
    if (!running()) return;
    one->play(false);
    std::swap(one, others_.front()->workspace);
    // The window keeps its settings.
    std::swap(one->settings, others_.front()->workspace->settings);
    one_seen_ = seen_of(*one);
    for (const auto& other : others_) {
        other->seen = seen_of(*other->workspace);
        other->blocks = {};
        if (one->shown() == nullptr || other->workspace->shown() == nullptr) continue;
        align_blocks(*one, *other);
        compare_runs(*one, *other);
    }
}

std::optional<std::size_t> Comparing::row(const Workspace& one) const {
    if (comparison() == nullptr || one.shown() == nullptr || one.shown()->passes->passes.empty()) return std::nullopt;
    const std::uint32_t launch = one.shown()->launch;
    const analysis::Pass& current = one.shown()->passes->passes[one.pass()];
    const auto is_current = [&](const analysis::ComparedPass& each) {
        return each.one && each.one->launch == launch && analysis::are_same(each.one->pass, current);
    };
    const auto found = std::ranges::find_if(comparison()->passes, is_current);
    if (found == comparison()->passes.end()) return std::nullopt;
    return static_cast<std::size_t>(found - comparison()->passes.begin());
}

void Comparing::seek_row(Workspace& one, std::size_t row) {
    if (comparison() == nullptr || row >= comparison()->passes.size()) return;
    const analysis::ComparedPass& pair = comparison()->passes[row];
    Workspace& moved = pair.one ? one : *other();
    const analysis::MeasuredPass& wanted = pair.one ? *pair.one : *pair.other;
    if (moved.shown() == nullptr) return;
    if (moved.shown()->launch != wanted.launch) moved.show_launch(wanted.launch);
    const auto& passes = moved.shown()->passes->passes;
    const auto found =
        std::ranges::find_if(passes, [&](const analysis::Pass& each) { return analysis::are_same(each, wanted.pass); });
    if (found != passes.end()) moved.seek_pass(static_cast<std::size_t>(found - passes.begin()));
}

std::optional<std::size_t> Comparing::counterpart(std::size_t pass_of_one) const {
    if (!running()) return std::nullopt;
    const auto& pairs = others_.front()->aligned.pairs;
    const auto pair = std::ranges::find(pairs, std::optional(pass_of_one), &analysis::PassPair::one);
    return pair == pairs.end() ? std::nullopt : pair->other;
}

bool Comparing::have_counterparts(const Workspace& one, std::size_t number) const {
    if (number >= others() || one.shown() == nullptr || other(number).shown() == nullptr) return true;
    // The other one stands after its last counterpart where A's pass has none.
    if (one.position() >= one.shown()->passes->steps.size()) return true;
    const auto& pairs = others_[number]->aligned.pairs;
    const auto pair = std::ranges::find(pairs, std::optional(one.pass()), &analysis::PassPair::one);
    return pair != pairs.end() && pair->other == other(number).pass();
}

}  // namespace lanescope::ui
