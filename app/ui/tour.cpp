#include "ui/tour.h"

#include "ui/shell.h"

#include <algorithm>
#include <array>

namespace lanescope::ui {
namespace {

// The numbers in the words are held to the trace by a test.
constexpr std::array stops = {
    TourStop{"reduce/two-elements", "8", "16", "stride = 1", "Passes",
             "A sum in shared memory. Every row is that memory after a step, every circle between two rows a thread "
             "that adds: "
             "8 of them, then 4, 2 and 1. Point at a number to see all that it is made of."},
    TourStop{
        "reduce/interleaved-modulo", "256", "256", "s = 4", "Warps",
        "Which lanes work? 256 threads are 8 warps of 32 lanes, and a warp executes as one. In this step every eighth "
        "thread adds: each warp has to run, and 4 of its 32 lanes work."},
    TourStop{
        "reduce/strided-index", "256", "256", "s = 4", "Warps",
        "The same additions, dealt out in another way: thread t adds at element 8 t. Now warp 0 works with all its "
        "32 lanes, and the other seven have nothing to do."},
    TourStop{
        "reduce/strided-index", "256", "256", "s = 4", "Banks",
        "But now banks collide. A column is a bank, and a bank gives one word at a time. The lanes read every eighth "
        "word: 32 words in 4 of the 32 banks, 8 in each. So it takes 8 wavefronts instead of 1."},
    TourStop{"reduce/sequential", "256", "256", "s = 32", "Banks",
             "Let neighbours read neighbours: 32 words in 32 banks, 1 wavefront. And the lanes that work stay side by "
             "side, in "
             "as few warps as there can be."},
    TourStop{"reduce/sequential", "256", "256", "store", "Counts",
             "What it costs, pass by pass: 25 wavefronts to load, where the two before take 95 each, for the same 255 "
             "additions. Now step by yourself: Space plays, Right is an instruction, Shift + Right a pass."},
};

}  // namespace

std::span<const TourStop> tour_stops() { return stops; }

void Tour::go(Shell& shell, std::size_t stop) {
    stop_ = stop;
    awaited_ = true;
    shell.model().play(false);
    LaunchValues values;
    values[Field::program] = stops[stop].program;
    values[Field::block] = stops[stop].block;
    values[Field::n] = stops[stop].n;
    shell.model().begin(std::move(values));
}

void Tour::next(Shell& shell) {
    if (stop() + 1 < stops.size()) return go(shell, stop() + 1);
    end(shell);
}

void Tour::back(Shell& shell) {
    if (stop() > 0) go(shell, stop() - 1);
}

void Tour::end(Shell& shell) {
    stop_.reset();
    awaited_ = false;
    shell.model().settings.toured = true;
}

void Tour::follow(Shell& shell) {
    Model& model = shell.model();
    if (!awaited_ || model.busy() || model.shown() == nullptr) return;
    awaited_ = false;
    const TourStop& at = stops[*stop_];
    const std::vector<analysis::Pass>& passes = model.shown()->passes->passes;
    const auto pass = std::ranges::find(passes, at.pass, &analysis::Pass::label);
    if (pass != passes.end()) model.seek_pass(static_cast<std::size_t>(pass - passes.begin()));
    shell.bring_up(at.panel);
    shown_ = model.shown()->id;
    position_ = model.position();
}

std::string_view Tour::words(const Model& model) const {
    if (!stop_) return {};
    if (awaited_) return stops[*stop_].words;
    const bool there = model.shown() != nullptr && model.shown()->id == shown_ && model.position() == position_;
    return there ? stops[*stop_].words : std::string_view();
}

}  // namespace lanescope::ui
