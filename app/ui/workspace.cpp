#include "ui/workspace.h"

#include "base/files.h"
#include "base/grouped.h"
#include "session/request.h"
#include "trace/file.h"
#include "ui/breakpoints.h"
#include "ui/sentences.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <utility>

namespace lanescope::ui {

namespace {

/// The text of the requested program; empty if it cannot be read.
std::string source_of(const session::Request& request) {
    const auto program = session::find_requested(request);
    return program ? program->source.text : std::string();
}

/// The text of a .cu file of up to 1 MiB; empty otherwise. (The run finds the program, which may take long.)
std::string text_of(const std::string& file) {
    constexpr std::uintmax_t largest = 1 << 20;
    std::error_code error;
    if (!file.ends_with(".cu") || std::filesystem::file_size(file, error) > largest || error) return {};
    return read_file(file).value_or("");
}

/// Whether main of a file has run, or would have: it may have refused its command line.
bool of_main(const std::expected<std::shared_ptr<const session::Run>, session::Refusal>& answer,
             const session::Request& request) {
    const auto is_main = [](const session::Program& program) {
        return !program.source.built_in && program.recipe.host && program.recipe.kernel == "main";
    };
    if (answer) return !trace::is_trace_file(request.program) && is_main((*answer)->program);
    if (!request.program.ends_with(".cu")) return false;
    const auto program = session::find_requested(request);
    return program && is_main(*program);
}

/// The first launch that can be shown.
std::optional<std::uint32_t> first_recorded(const trace::Trace& trace) {
    const auto first =
        std::ranges::find_if(trace.launches, [](const auto& launch) { return !launch.recorded.empty(); });
    if (first == trace.launches.end()) return std::nullopt;
    return static_cast<std::uint32_t>(first - trace.launches.begin());
}

}  // namespace

Workspace::Workspace(Settings initial) : settings(std::move(initial)), breakpoints_(std::make_unique<Breakpoints>()) {}

Workspace::~Workspace() = default;

// --- the run ---------------------------------------------------------------------------------------------------

void Workspace::begin(LaunchValues values) {
    form_.restart(std::move(values));
    awaited_.reset();
    submit();
}

void Workspace::begin(LaunchValues values, Bookmark bookmark) {
    begin(std::move(values));
    awaited_ = bookmark;
}

void Workspace::submit() {
    unrun_source_ = shown_ ? std::string() : text_of(file());
    question_.reset();
    returning_to_.reset();
    previous_ = false;
    // The compiler's messages belong to the file that did not compile.
    if (!refused_source_.empty() && refused_program_ != form_.values()[Field::program]) {
        diagnostics_.clear();
        refused_source_.clear();
    }
    session::Request request = form_.request();
    request.trusted = trusted_.trusts(file(), settings.trusted_folders);
    runner_.submit(std::move(request));
}

void Workspace::cancel() {
    if (!runner_.busy()) return;
    stopped_ = true;
    // All of the program that has run stays.
    keeps_part_ = shown_ && shown_->trace().running;
    if (keeps_part_) return runner_.stop();
    runner_.cancel();
    form_.withdraw();
    awaited_.reset();
    previous_ = shown_.has_value();
}

bool Workspace::poll() {
    auto finished = runner_.take();
    if (!finished) return false;
    answer(std::move(*finished));
    return true;
}

void Workspace::answer(std::expected<std::shared_ptr<const session::Run>, session::Refusal> answer) {
    // Every readable file becomes a recent file, with or without errors.
    if (const std::string path = file(); !path.empty() && (answer || !answer.error().diagnostics.empty())) {
        std::error_code error;
        settings.add_recent(std::filesystem::absolute(path, error).string());
    }
    runs_main_ = of_main(answer, form_.request());
    refusal_ = answer ? std::nullopt : std::optional(answer.error().problem);
    refused_launches_ = !answer && answer.error().no_launch && !answer.error().diagnostics.empty();
    if (!answer && answer.error().field == "trust") {
        question_ = Question{.text = answer.error().problem.what, .kernel = {}};
        if (const auto program = session::find_requested(form_.request());
            program && !program->source.scan.kernels.empty())
            question_->kernel = program->source.scan.kernels.front().name;
        question_->of_other_file = form_.ran()[Field::program] != form_.values()[Field::program];
        return;
    }
    if (!answer) {
        diagnostics_ = answer.error().diagnostics;
        refused_program_ = form_.values()[Field::program];
        refused_source_ = diagnostics_.empty() ? std::string() : source_of(form_.request());
        if (!refused_source_.empty() && form_.ran()[Field::program] != form_.values()[Field::program]) close_shown();
        if (form_.refused(answer.error())) submit();
        return;
    }
    const std::shared_ptr<const session::Run>& run = *answer;
    const std::optional<std::uint32_t> first = first_recorded(run->trace());
    if (!first) {
        if (run->trace().running) return;
        refusal_ = unrecorded(*run);
        close_shown();
    }
    leave();
    diagnostics_ = run->diagnostics;
    refused_source_.clear();
    unrun_source_.clear();
    form_.accepted(*run);
    of_trace_ = trace::is_trace_file(form_.values()[Field::program]);

    // The same place in the algorithm, and the same cell if it still exists.
    const bool same_program = shown_ && shown_->run->program.name == run->program.name;
    const std::optional<Selection> kept = same_program ? selection_ : std::nullopt;
    const std::optional<Lane> lane = same_program ? lane_ : std::nullopt;
    const Place place = shown_ ? navigation_.place() : Place{};
    BlockId block = shown_ && same_program ? shown_->block : BlockId{0};
    const std::vector<trace::Launch>& launches = run->trace().launches;
    if (!first) {
        unrun_source_ = run->trace().origin.source;
        return;
    }
    if (const std::optional<Bookmark> bookmark = std::exchange(awaited_, std::nullopt)) return take(run, *bookmark);
    // While the program is still running, it may not have made the launch yet.
    if (const std::optional<Left> left = returning_to_;
        left && (!run->trace().running || run->trace().recorded(left->place.launch, left->place.block))) {
        returning_to_.reset();
        take(run, left->place);
        if (left->lane && !selection_) choose(left->lane->warp, left->lane->number);
        if (left->followed.value * warp_size < shown_->threads()) navigation_.follow(left->followed);
        return;
    }
    std::uint32_t launch = shown_ ? shown_->launch : 0;
    if (recording_ && !run->trace().running) launch = *std::exchange(recording_, std::nullopt);
    if (launch >= launches.size() || launches[launch].recorded.empty()) launch = *first;
    if (!run->trace().recorded(launch, block)) block = launches[launch].recorded.front();
    show(run, launch, block, place);
    if (kept) {
        select(kept->row, kept->column);
    } else if (lane) {
        choose(lane->warp, lane->number);
    }
}

void Workspace::close_shown() {
    if (!shown_) return;
    leave();
    clear_selection();
    playback_.run(false);
    shown_.reset();
    gpu_check_.keep_to(nullptr);
    schedule_finder_.keep_to(nullptr);
    timeline_recorder_.keep_to(nullptr);
    navigation_ = {};
    of_trace_ = false;
    form_.forget_run();
}

void Workspace::take(const std::shared_ptr<const session::Run>& run, const Bookmark& bookmark) {
    const std::vector<trace::Launch>& launches = run->trace().launches;
    const bool there = bookmark.launch < launches.size() && run->trace().recorded(bookmark.launch, bookmark.block);
    const std::uint32_t launch = there ? bookmark.launch : first_recorded(run->trace()).value();
    show(run, launch, there ? bookmark.block : launches[launch].recorded.front(), Place{});
    if (!there) return;
    if (bookmark.selected) select(bookmark.selected->first, bookmark.selected->second);
    seek_exactly(bookmark.position);
}

Bookmark Workspace::bookmark() const {
    Bookmark bookmark;
    if (!shown_) return bookmark;
    bookmark = {.launch = shown_->launch, .block = shown_->block, .position = position(), .selected = {}};
    if (selection_) bookmark.selected = std::pair(selection_->row, selection_->column);
    return bookmark;
}

void Workspace::show(std::shared_ptr<const session::Run> run, std::uint32_t launch, BlockId block, const Place& place) {
    Shown next = shown_of(std::move(run), launch, block, shown());
    clear_selection();
    shown_ = std::move(next);
    gpu_check_.keep_to(shown_->run);
    schedule_finder_.keep_to(shown_->run);
    timeline_recorder_.keep_to(shown_->run);
    navigation_ = Navigation(shown_->view(), *shown_->map, WarpId{0});
    navigation_.seek(place);
    playback_.keep_running(position() < navigation_.end());
}

void Workspace::show_block(std::uint32_t launch, BlockId block) {
    if (!shown_ || !shown_->trace().recorded(launch, block)) return;
    show(shown_->run, launch, block, navigation_.place());
}

void Workspace::open(const std::string& program, const std::string& kernel) {
    const bool of_catalog = session::find_program(program) != nullptr;
    std::error_code error;
    const auto opened = session::opened_source(program).value_or(session::OpenedSource{.path = program, .folder = {}});
    const std::string path = of_catalog ? program : std::filesystem::absolute(opened.path, error).string();
    awaited_.reset();
    std::vector<std::pair<Field, std::string>> fields;
    if (!opened.folder.empty()) fields.emplace_back(Field::working_folder, opened.folder);
    // Opening the same file again reads it again.
    if (form_.set_launch(path, kernel, fields) || !of_catalog) submit();
}

void Workspace::answer_question(Permission permission) {
    if (!question_) return;
    const Question question = *std::exchange(question_, std::nullopt);
    switch (permission) {
        case Permission::none: awaited_.reset(); return form_.withdraw();
        case Permission::kernel_alone: return set_field(Field::kernel, question.kernel);
        case Permission::folder:
            settings.trusted_folders.push_back(std::filesystem::path(real_path(file())).parent_path().string());
            break;
        case Permission::once: trusted_.permit(file()); break;
    }
    submit();
}

std::string Workspace::file() const {
    const std::string& program = form_.values()[Field::program];
    return program.empty() || session::find_program(program) != nullptr ? std::string() : program;
}

void Workspace::open_launch(const std::string& program, const std::string& kernel,
                            const std::vector<std::pair<Field, std::string>>& fields) {
    awaited_.reset();
    if (form_.set_launch(program, kernel, fields)) submit();
}

void Workspace::reset_launch() {
    if (form_.reset()) submit();
}

void Workspace::set_field(Field field, std::string text) {
    if (form_.set(field, std::move(text))) submit();
}

void Workspace::record_launch(std::uint32_t launch) {
    recording_ = launch;
    set_field(Field::record_launch, fmt::format("{}", launch));
}

void Workspace::set_sanitize(bool wanted) {
    if (form_.set_sanitize(wanted)) submit();
}

void Workspace::set_argument(const std::string& parameter, std::string plan) {
    if (form_.set_argument(parameter, std::move(plan))) submit();
}

void Workspace::undo() {
    if (form_.undo()) return_to_place();
}

void Workspace::redo() {
    if (form_.redo()) return_to_place();
}

void Workspace::return_to_place() {
    submit();
    const auto found = std::ranges::find(left_, form_.values(), &Left::values);
    if (found != left_.end()) returning_to_ = *found;
}

// The last place of each launch: an undo returns there.
void Workspace::leave() {
    if (!shown_) return;
    std::erase_if(left_, [&](const Left& each) { return each.values == form_.ran(); });
    left_.push_back(left());
}

Workspace::Left Workspace::left() const { return {form_.ran(), bookmark(), navigation_.followed(), lane_}; }

void Workspace::set_aside() {
    if (!aside_) aside_ = Aside{.form = form_, .left = shown_ ? std::optional(left()) : std::nullopt};
}

void Workspace::bring_back() {
    if (!aside_) return;
    const Aside aside = *std::exchange(aside_, std::nullopt);
    form_.become(aside.form);
    awaited_.reset();
    submit();
    if (aside.left && aside.left->values == form_.values()) returning_to_ = aside.left;
}

// --- time ------------------------------------------------------------------------------------------------------

bool Workspace::enter(std::uint32_t launch) {
    if (!shown_ || launch >= shown_->trace().launches.size()) return false;
    const std::optional<BlockId> block = block_entered(launch);
    if (!block) return false;
    const Playback playback = playback_;
    show(shown_->run, launch, *block, Place{});
    playback_ = playback;  // goes on through a launch without steps
    return true;
}

Unit Workspace::step_unit() const {
    const bool ptx_alone = settings.source_view == SourceView::ptx || (shown_ && shown_->trace().origin.source.empty());
    return ptx_alone ? Unit::instruction : Unit::event;
}

std::string Workspace::step_label() const {
    if (shown() == nullptr) return {};
    if (position() >= navigation_.end()) return "end";
    // Where the followed warp has no step in the pass, or a jump led to another warp.
    const WarpId warp = shown_->trace().step(next_step()).warp;
    if (warp != navigation_.followed()) return fmt::format("step of warp {}", warp.value);
    const auto event = step_unit() == Unit::event ? navigation_.ordinal(Unit::event) : std::nullopt;
    const auto at = event ? event : navigation_.ordinal(Unit::instruction);
    if (!at) return {};
    return fmt::format("{} {} of {}", event ? "event" : "instruction", grouped(at->number), grouped(at->of));
}

/// The block of a launch that stepping enters: the same one, if it was recorded. Nothing where no block was.
std::optional<BlockId> Workspace::block_entered(std::uint32_t launch) const {
    const std::vector<BlockId>& recorded = shown_->trace().launches[launch].recorded;
    if (recorded.empty()) return std::nullopt;
    return std::ranges::find(recorded, shown_->block) != recorded.end() ? shown_->block : recorded.front();
}

void Workspace::follow_breakpoints() {
    static const std::vector<Breakpoint> none;
    const auto kept = settings.breakpoints.find(form_.ran()[Field::program]);
    breakpoints_->follow(*shown_, kept == settings.breakpoints.end() ? none : kept->second);
}

bool Workspace::toggle_breakpoint(const Breakpoint& breakpoint) {
    if (!shown_) return false;
    follow_breakpoints();
    std::vector<Breakpoint>& kept = settings.breakpoints[form_.ran()[Field::program]];
    const Breakpoints::Placed* const placed = breakpoints_->at(breakpoint.ptx, breakpoint.file, breakpoint.line);
    if (placed != nullptr) {
        kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(placed->kept));
        if (kept.empty()) settings.breakpoints.erase(form_.ran()[Field::program]);
        follow_breakpoints();
        return false;
    }
    kept.push_back(breakpoint);
    follow_breakpoints();
    return true;
}

Result<void> Workspace::set_condition(const Breakpoint& breakpoint, const std::string& condition) {
    if (!shown_) return {};
    const auto read = analysis::read_condition(condition);
    if (!read) return std::unexpected(read.error());
    if (const auto known = analysis::check_names(*read, shown_->module()); !known) return known;
    follow_breakpoints();
    if (breakpoints_->at(breakpoint.ptx, breakpoint.file, breakpoint.line) == nullptr)
        (void)toggle_breakpoint(breakpoint);
    const Breakpoints::Placed* const placed = breakpoints_->at(breakpoint.ptx, breakpoint.file, breakpoint.line);
    if (placed == nullptr) return fail("the line has no text that a breakpoint can be found by");
    settings.breakpoints[form_.ran()[Field::program]][placed->kept].condition = condition;
    follow_breakpoints();
    return {};
}

void Workspace::delete_breakpoints() {
    settings.breakpoints.erase(form_.ran()[Field::program]);
    if (shown_) follow_breakpoints();
}

void Workspace::go_to(const Breakpoints::Stop& stop) {
    if (stop.launch != shown_->launch) enter(stop.launch);
    choose(stop.warp, stop.lane);
    seek_exactly(stop.position);
}

bool Workspace::seek_breakpoint(bool forwards) {
    if (!shown_) return false;
    follow_breakpoints();
    const std::size_t end = shown_->passes->steps.size();
    auto stop = forwards ? breakpoints_->find(*shown_, position() + 1, end, true)
                         : breakpoints_->find(*shown_, 0, position(), false);
    const std::size_t launches = shown_->trace().launches.size();
    for (std::uint32_t launch = shown_->launch; !stop && (forwards ? launch + 1 < launches : launch > 0);) {
        launch = forwards ? launch + 1 : launch - 1;
        if (const auto block = block_entered(launch))
            stop = breakpoints_->find_in_launch(*shown_, launch, *block, forwards);
    }
    if (stop) go_to(*stop);
    return stop.has_value();
}

bool Workspace::stop_at_breakpoint(std::size_t from) {
    follow_breakpoints();
    const auto stop = breakpoints_->find(*shown_, from, position() + 1, true);
    if (!stop) return false;
    playback_.run(false);
    go_to(*stop);
    return true;
}

void Workspace::forward(Unit unit) {
    // The launches of a program form one timeline.
    if (!navigation_.forward(unit) && shown_) enter(shown_->launch + 1);
    by_pass_ = unit == Unit::pass;
    playback_.restart_step();
}

void Workspace::back(Unit unit) {
    if (!navigation_.back(unit) && shown_ && shown_->launch > 0 && enter(shown_->launch - 1)) finish();
    by_pass_ = unit == Unit::pass;
    playback_.restart_step();
}

void Workspace::seek(std::size_t position) {
    navigation_.seek_near(position);
    by_pass_ = false;
}

void Workspace::seek_exactly(std::size_t position) {
    navigation_.seek(position);
    by_pass_ = false;
}

void Workspace::seek_pass(std::size_t pass) {
    navigation_.seek_pass(pass);
    by_pass_ = true;
}

void Workspace::seek_line(std::uint32_t cuda_line) {
    goto_line = cuda_line;
    goto_file.clear();
    seek_next([&](PtxLine line) { return shown_->map->cuda_line(line) == cuda_line; });
}

void Workspace::seek_ptx_line(PtxLine line) {
    seek_next([&](PtxLine other) { return other == line; });
}

void Workspace::seek_next(const std::function<bool(PtxLine)>& wanted) {
    if (!shown_) return;
    const std::vector<std::size_t>& stops = navigation_.stops(Unit::instruction);
    const auto is_wanted = [&](std::size_t stop) {
        return stop < navigation_.end() && wanted(shown_->trace().step(shown_->passes->steps[stop]).line);
    };
    auto found = std::find_if(std::ranges::upper_bound(stops, position()), stops.end(), is_wanted);
    if (found == stops.end()) found = std::ranges::find_if(stops, is_wanted);
    if (found != stops.end()) return seek_exactly(*found);
    const bool others = std::ranges::any_of(shown_->passes->steps,
                                            [&](StepId step) { return wanted(shown_->trace().step(step).line); });
    say(others ? fmt::format("Warp {} does not execute this line; other warps of the block do.",
                             navigation_.followed().value)
               : "No warp of this block executes this line.");
}

void Workspace::seek_finding(std::size_t index) {
    if (!shown_ || index >= shown_->trace().findings.size()) return;
    seek_finding(trace::Finding(shown_->trace().findings[index]));
}

void Workspace::seek_finding(const trace::Finding& finding) {
    if (!shown_) return;
    if (finding.launch != shown_->launch || finding.block != shown_->block) show_block(finding.launch, finding.block);
    const bool here = finding.launch == shown_->launch && finding.block == shown_->block;
    if (here && finding.step) {
        choose(finding.warp, finding.lane.value);
        seek_exactly(shown_->passes->position_of(*finding.step));
        goto_line = finding.source_line;
        goto_file = finding.source_file;
    } else if (finding.source_line != 0 && !finding.source_file.empty()) {
        goto_line = finding.source_line;
        goto_file = finding.source_file;
    } else if (finding.source_line != 0) {
        seek_line(finding.source_line);
    }
}

bool Workspace::seek_notable(analysis::Notable what, bool forwards) {
    if (!shown_) return false;
    const auto found = analysis::nearest(shown_->view(), what, position(), forwards);
    if (!found) return false;
    choose(shown_->trace().step(shown_->passes->steps[*found]).warp, {});
    seek_exactly(*found);
    return true;
}

bool Workspace::seek_next_finding(bool forwards) {
    if (!shown_) return false;
    const auto found = analysis::nearest_finding(shown_->view(), position(), forwards);
    if (found) seek_finding(*found);
    return found.has_value();
}

void Workspace::check_on_gpu() {
    if (can_check()) gpu_check_.start(shown_->run);
}

bool Workspace::can_find_schedule(const trace::Finding& finding) const {
    if (!shown_ || of_trace_ || shown_->trace().running || shown_->run->verdict.ok == false) return false;
    // A remark is no error: no schedule makes it change the result.
    const auto same = [&](const trace::Finding& each) { return &each == &finding; };
    return std::ranges::any_of(shown_->trace().findings, same) && session::may_spoil(finding);
}

void Workspace::find_schedule(const trace::Finding& finding) {
    if (!can_find_schedule(finding)) return;
    const std::vector<trace::Finding>& findings = shown_->trace().findings;
    schedule_finder_.start(shown_->run, static_cast<std::size_t>(&finding - findings.data()));
}

bool Workspace::poll_schedule() {
    if (busy()) schedule_finder_.keep_to(nullptr);  // a requested run makes the schedule obsolete
    if (!schedule_finder_.poll()) return false;
    if (const std::optional<std::string> schedule = schedule_finder_.take_schedule())
        set_field(Field::schedule, *schedule);
    return true;
}

void Workspace::seek_difference() {
    if (!shown_ || !gpu_check_.difference()) return;
    const GpuCheck::Difference difference = *gpu_check_.difference();
    if (difference.launch != shown_->launch || difference.block != shown_->block)
        show_block(difference.launch, difference.block);
    if (difference.launch != shown_->launch || difference.block != shown_->block)
        return seek_line(difference.source_line);
    const WarpId warp{difference.thread / warp_size};
    const unsigned lane = difference.thread % warp_size;
    choose(warp, lane);
    const auto found = analysis::execution_of(shown_->view(), warp, lane, difference.line, difference.nth);
    if (found) seek_exactly(*found);
    goto_line = difference.source_line;
}

void Workspace::finish() { seek_exactly(navigation_.end()); }

void Workspace::play(bool on) {
    if (on && position() >= navigation_.end() && shown_ && shown_->launch + 1 >= shown_->trace().launches.size()) {
        if (shown_->launch > 0) enter(0);
        home();
    }
    playback_.run(on && shown_.has_value() && navigation_.end() > 0);
}

bool Workspace::advance(double seconds) {
    std::size_t steps = playback_.steps_after(seconds, played_a_second());
    if (steps == 0) return false;
    by_pass_ = false;
    while (steps-- > 0) {
        std::size_t from = position() + 1;
        if (!navigation_.forward(step_unit())) {
            if (!enter(shown_->launch + 1)) break;
            from = 0;
        }
        if (stop_at_breakpoint(from)) return true;
    }
    const bool last = shown_->launch + 1 >= shown_->trace().launches.size();
    if (last && position() >= navigation_.end()) playback_.run(false);
    return true;
}

void Workspace::faster(int octaves) {
    settings.speed = std::clamp(std::ldexp(settings.speed, octaves), slowest, fastest);
}

StepId Workspace::next_step() const {
    return shown_ && position() < shown_->passes->steps.size() ? shown_->passes->steps[position()] : StepId{};
}

PtxLine Workspace::next_ptx_line() const {
    const StepId step = next_step();
    return step.valid() ? shown_->trace().step(step).line : PtxLine{};
}

std::uint32_t Workspace::next_cuda_line() const { return next_step().valid() ? shown_->cuda_line_at(position()) : 0; }

std::size_t Workspace::pass() const {
    if (!shown_ || shown_->passes->passes.empty()) return 0;
    return shown_->passes->pass_of(position()).index();
}

// --- selection -------------------------------------------------------------------------------------------------

void Workspace::select(std::uint32_t row, std::uint32_t column) {
    if (!shown_ || row >= shown_->picture->rows.size()) return;
    const std::vector<analysis::Cell>& cells = shown_->picture->rows[row].cells;
    if (column >= cells.size()) return;
    selection_ = Selection{row, column, cells[column].value};
    lane_.reset();
    if (!cells[column].writer.valid()) return;
    lane_ = Lane{shown_->trace().step(cells[column].writer).warp, cells[column].lane};
    navigation_.follow(lane_->warp);
}

void Workspace::choose(WarpId warp, std::optional<unsigned> lane) {
    if (!shown_ || warp.value * warp_size >= shown_->threads()) return;
    navigation_.follow(warp);
    selection_.reset();
    lane_ = lane ? std::optional(Lane{warp, *lane}) : std::nullopt;
}

void Workspace::clear_selection() {
    selection_.reset();
    lane_.reset();
}

// --- texts -----------------------------------------------------------------------------------------------------

const std::string& Workspace::narration() const {
    static const std::string nothing;
    if (shown() == nullptr) return nothing;
    const bool whole_pass = by_pass_ && position() < navigation_.end();
    return texts_.narration(*shown_, position(), whole_pass ? std::optional(pass()) : std::nullopt, lane_);
}

const std::string& Workspace::expression() const {
    static const std::string nothing;
    return shown() != nullptr && selection_ && selection_->value.valid() ? texts_.expression(*shown_, *selection_)
                                                                         : nothing;
}

}  // namespace lanescope::ui
