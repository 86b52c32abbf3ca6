#include "ui/tour.h"

#include "ui/shell.h"

#include <algorithm>
#include <array>

namespace lanescope::ui {
namespace {

// A test compares the numbers in these texts with the trace.
constexpr std::array stops = {
    TourStop{"reduce/two-elements", "8", "16", "stride = 1", "Passes",
             "A sum in shared memory. Every row shows the array after one pass; every circle between two rows is a "
             "thread that adds: 8 of them, then 4, 2 and 1. Point at a value to highlight everything that it was "
             "computed from."},
    TourStop{"reduce/interleaved-modulo", "256", "256", "s = 4", "Warps",
             "Which lanes work? 256 threads form 8 warps of 32 lanes, and a warp executes as one. In this pass "
             "every eighth thread adds: all 8 warps run, with 4 of 32 lanes useful in each."},
    TourStop{"reduce/strided-index", "256", "256", "s = 4", "Warps",
             "The same additions, assigned to other threads: thread t adds at element 8 t. Now all 32 lanes of "
             "warp 0 are useful, and the other seven warps skip the addition."},
    TourStop{"reduce/strided-index", "256", "256", "s = 4", "Banks",
             "But now there are bank conflicts. Each column is a bank, and a bank serves one word per wavefront. "
             "The lanes read every eighth word: 32 words in 4 of the 32 banks, 8 in each. The access takes 8 "
             "wavefronts instead of 1."},
    TourStop{"reduce/sequential", "256", "256", "s = 32", "Banks",
             "Let neighboring lanes read neighboring words: 32 words in 32 banks, 1 wavefront. The useful lanes "
             "stay side by side, in as few warps as possible."},
    TourStop{
        "reduce/sequential", "256", "256", "store", "Counts",
        "The cost, pass by pass: 45 wavefronts, compared with 150 for each of the two kernels before, for the same "
        "255 additions. Now step yourself: Space plays, Right goes to the next access, branch or barrier, Shift + "
        "Right a pass.",
        true},
};

}  // namespace

std::span<const TourStop> tour_stops() { return stops; }

void Tour::go(Shell& shell, std::size_t stop) {
    stop_ = stop;
    awaited_ = true;
    shell.workspace().play(false);
    shell.workspace().set_aside();
    LaunchValues values;
    values[Field::program] = stops[stop].program;
    values[Field::block] = stops[stop].block;
    values[Field::n] = stops[stop].n;
    shell.workspace().begin(std::move(values));
}

void Tour::next(Shell& shell) {
    if (stop() + 1 < stops.size()) return go(shell, stop() + 1);
    end(shell);
}

void Tour::back(Shell& shell) {
    if (stop() > 0) go(shell, stop() - 1);
}

void Tour::end(Shell& shell) {
    Workspace& workspace = shell.workspace();
    // A program that the user has opened meanwhile stays.
    if (stop_ && workspace.form().values()[Field::program] != stops[*stop_].program) workspace.forget_aside();
    workspace.bring_back();
    stop_.reset();
    awaited_ = false;
    workspace.settings.toured = true;
}

void Tour::follow(Shell& shell) {
    Workspace& workspace = shell.workspace();
    if (!awaited_ || workspace.busy() || workspace.shown() == nullptr) return;
    awaited_ = false;
    const TourStop& at = stops[*stop_];
    const std::vector<analysis::Pass>& passes = workspace.shown()->passes->passes;
    const auto pass = std::ranges::find(passes, at.pass, &analysis::Pass::label);
    if (pass != passes.end() && at.at_end)
        workspace.seek(pass->past_last);
    else if (pass != passes.end())
        workspace.seek_pass(static_cast<std::size_t>(pass - passes.begin()));
    shell.bring_up(at.panel);
    shown_ = workspace.shown()->id;
    position_ = workspace.position();
}

std::string_view Tour::words(const Workspace& workspace) const {
    if (!stop_) return {};
    if (awaited_) return stops[*stop_].words;
    const bool there =
        workspace.shown() != nullptr && workspace.shown()->id == shown_ && workspace.position() == position_;
    return there ? stops[*stop_].words : std::string_view();
}

std::string_view Tour::subject(const Workspace& workspace) const {
    return awaited_ || words(workspace).empty() ? std::string_view() : stops[*stop_].panel;
}

}  // namespace lanescope::ui
