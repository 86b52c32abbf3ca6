#include "execute/emulator/grid.h"

#include "base/demangle.h"
#include "base/grouped.h"
#include "model/device_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

namespace lanescope::execute {

namespace {

/// Instructions of each warp before the next block's turn.
constexpr unsigned turns_of_quantum = 128;
/// Quanta between two checks of the memory in use.
constexpr std::uint64_t quanta_of_a_look = 64;

/// Resident blocks if blocks may wait for each other: enough to interleave.
constexpr std::uint64_t usual_resident = 8;

/// Rounds in which no block has ended, before the first window opens in which states are compared. The early window is
/// for recorded blocks, because comparing costs little beside recording and a short record matters, and for blocks that
/// become resident after all others were found to repeat themselves, because they may well do so, too.
constexpr std::uint64_t first_window = 256, early_window = 4;
/// Rounds that a window is open, at least, and as a share of those before it: comparing slows long loops little.
constexpr std::uint64_t least_window = 8, window_share = 32;

/// Warp instructions of a launch before a loop without an exit is reported: faults in it, such as an index that grows
/// past its array, are found until then.
constexpr std::uint64_t least_without_exit = std::uint64_t{1} << 22;
/// Time between two reports of the progress of blocks that do not end.
constexpr std::chrono::milliseconds said_every(100);
/// Warp instructions that take as long as one atomic: its lanes are executed and checked one by one, and as written it
/// is a call.
constexpr std::uint64_t time_of_atomic = 160;
/// Warp instructions after which the sum of what a launch has taken is updated.
constexpr std::uint64_t most_unsummed = std::uint64_t{1} << 20;
/// The most instructions of a loop's period that are observed.
constexpr unsigned most_observed = 1U << 18;

std::uint64_t shared_bytes_of(const Code& code, const LaunchRequest& request) {
    return std::max(code.kernel->dynamic_shared_offset + request.dynamic_shared_bytes, code.kernel->shared_bytes);
}

/// "1.2 of 4.3 G", "12.0 of 268.4 M", "120 of 1,000": how much of a limit is spent, in the limit's unit.
std::string share_of_limit(std::uint64_t spent, std::uint64_t most) {
    struct Unit {
        double size;
        const char* name;
    };
    for (const Unit& unit : {Unit{1e9, "G"}, Unit{1e6, "M"}}) {
        if (static_cast<double>(most) < unit.size) continue;
        return fmt::format("{:.1f} of {:.1f} {}", static_cast<double>(spent) / unit.size,
                           static_cast<double>(most) / unit.size, unit.name);
    }
    return fmt::format("{} of {}", grouped(spent), grouped(most));
}

std::uint64_t warps_of(const LaunchRequest& request) { return (request.block.count() + warp_size - 1) / warp_size; }

}  // namespace

trace::Residency Grid::places_of(const Code& code, const LaunchRequest& request, const Limits& limits) {
    const Multiprocessors asked = limits.multiprocessors.value_or(Multiprocessors());
    auto each = static_cast<std::uint32_t>(
        asked.device->resident_blocks(request.block.count(), shared_bytes_of(code, request)));
    if (asked.blocks_each > 0) each = std::min(each, asked.blocks_each);
    return {.multiprocessors = asked.count, .blocks_each = each, .order = asked.order};
}

Grid::Grid(LaunchState& state, const LaunchRequest& request, const Limits& limits, const BlockRange& range,
           std::uint64_t workspace, std::uint64_t record_bytes, std::uint64_t& budget)
    : state_(state),
      request_(request),
      limits_(limits),
      places_{.dynamic_shared_bytes = request.dynamic_shared_bytes, .workspace = workspace},
      shared_bytes_(shared_bytes_of(state.code, request)),
      range_(range),
      record_bytes_(record_bytes),
      budget_(budget),
      begin_budget_(budget),
      residency_(places_of(state.code, request, limits)),
      next_(range.first),
      loops_(state.code),
      recorder_(state),
      access_recorder_(state),
      counter_(state) {
    if (!residency_.order.starts_ascending()) order_ = trace::blocks_in_order(residency_.order, request.grid.count());
    has_barrier_ = std::ranges::find(state.code.micros, Kind::barrier, &Micro::kind) != state.code.micros.end();
    if (!state.code.reserves_shared) return;
    constexpr std::uint64_t alignment = 128;
    places_.reserved_shared = (shared_bytes_ + alignment - 1) / alignment * alignment;
    shared_bytes_ = places_.reserved_shared + model::emulated_device().reserved_shared_bytes;
}

std::unique_ptr<Block> Grid::make_block() const {
    const Code& code = state_.code;
    const std::uint64_t warps = warps_of(request_);
    auto block = std::make_unique<Block>();
    block->files = RowStorage(warps * code.file_bytes);
    block->shared = Region(0, shared_bytes_);
    block->local = Region(0, warps * warp_size * code.local_bytes);
    block->warps.resize(warps);
    for (std::uint32_t number = 0; number < warps; ++number) {
        Warp& warp = block->warps[number];
        warp.id = WarpId(number);
        warp.file = block->files.data() + std::size_t{number} * code.file_bytes;
        std::memset(warp.file, 0, code.file_bytes);
        warp.word(always_slot) = ~0U;
        for (const ConstantRow& constant : code.constants) {
            switch (constant.row) {
                case Row::wide: std::fill_n(warp.wide(constant.slot), 32, constant.bits); break;
                case Row::narrow:
                    std::fill_n(warp.narrow(constant.slot), 32, static_cast<std::uint32_t>(constant.bits));
                    break;
                default: warp.word(constant.slot) = static_cast<std::uint32_t>(constant.bits); break;
            }
        }
        write_special_registers(code, request_.grid, request_.block, places_, *block, warp, false);
    }
    return block;
}

void Grid::bring_in(std::uint64_t count) {
    for (; count > 0 && next_ < range_.past_last && running_.size() < residency_.places(); --count) {
        running_.push_back(make_block());
        start(*running_.back(), block_at(next_++));
    }
    std::uint64_t& resident = state_.writer.trace().launches.back().resident;
    resident = std::max<std::uint64_t>(resident, running_.size());
}

void Grid::start(Block& block, std::uint64_t index) {
    block.id = BlockId(static_cast<std::uint32_t>(index));
    const trace::Dim3& grid = request_.grid;
    block.index = {static_cast<std::uint32_t>(index % grid.x), static_cast<std::uint32_t>(index / grid.x % grid.y),
                   static_cast<std::uint32_t>(index / grid.x / grid.y)};
    if (index < range_.recorded && state_.writer.bytes() > record_bytes_ && !(index == 0 && may_record_first())) {
        if (order_.empty()) range_.recorded = index;
        state_.cut = full_ = true;
    }
    block.recorded = index < range_.recorded && !full_;
    all_recorded_ = all_recorded_ && block.recorded;
    if (block.recorded) {
        std::vector<BlockId>& recorded = state_.writer.trace().launches.back().recorded;
        recorded.insert(std::ranges::upper_bound(recorded, block.id), block.id);
    }
    const bool stalls = std::ranges::find(residency_.order.stalled, block.id.value) != residency_.order.stalled.end();
    block.stall = !stalls ? Block::Stall::none : has_barrier_ ? Block::Stall::to_come : Block::Stall::now;
    block.live = static_cast<std::uint32_t>(request_.block.count());
    block.barriers = {};
    block.clock_seen = block.waited = 0;
    block.shared.clear();
    block.local.clear();
    block.checked =
        limits_.checked == Checked::all_blocks || (limits_.checked == Checked::recorded_blocks && block.recorded);
    // Blocks that are not checked may still pass on what checked blocks released.
    const bool some_checked = limits_.checked != Checked::no_blocks && range_.recorded > 0;
    block.followed = block.checked || (state_.code.releases && some_checked);
    if (block.followed) state_.check.begin(block);
    for (Warp& warp : block.warps) start_warp(block, warp);
}

void Grid::start_warp(Block& block, Warp& warp) {
    const Code& code = state_.code;
    std::memset(warp.file + code.registers_begin, 0, code.rows_begin - code.registers_begin);
    for (const RowSpan& row : code.cleared_rows) std::memset(warp.file + row.slot, 0, row.bytes);
    write_special_registers(code, request_.grid, request_.block, places_, block, warp, true);
    const auto threads = static_cast<unsigned>(request_.block.count());
    warp.control.start(LaneMask::first(std::min(warp_size, threads - warp.id.value * warp_size)), 0);
    warp.epoch = 0;
    warp.counts = &state_.counts_of(0);
    warp.clock = 0;
}

template <class Act>
auto Grid::with_interpreter(const Block& block, Act act) {
    if (!block.recorded) return act(counter_);
    return limits_.record_registers ? act(recorder_) : act(access_recorder_);
}

std::uint64_t Grid::turn(Block& block) {
    return with_interpreter(block, [&](auto& interpreter) -> std::uint64_t {
        if (state_.schedule == nullptr) return interpreter.turn(block);
        return state_.schedule->turn(block, [&](Warp& warp) { interpreter.step(block, warp); });
    });
}

Grid::Stuck Grid::stuck(Block& block) {
    if (state_.schedule != nullptr && state_.schedule->has_waiting(block))
        return state_.schedule->leave_waiting(block) ? Stuck::goes_on : Stuck::waits;
    const bool released = with_interpreter(block, [&](auto& interpreter) { return interpreter.release_stuck(block); });
    return released ? Stuck::goes_on : Stuck::deadlocked;
}

Grid::Turn Grid::quantum(Block& block, Progress& progress) {
    const auto ends = [&](End end) {
        end_ = end;
        return Turn::ended;
    };
    if (++quanta_ % quanta_of_a_look == 0 && memory_taken() > limits_.memory_bytes) {
        state_.out_of_memory = true;
        return ends(End::stopped);
    }
    const unsigned steps_of_turn =
        with_interpreter(block, [](const auto& interpreter) { return interpreter.steps_of_turn; });
    const unsigned turns =
        state_.schedule != nullptr ? state_.schedule->turns(turns_of_quantum) : turns_of_quantum / steps_of_turn;
    for (unsigned i = 0; i < turns; ++i) {
        const std::uint64_t steps = turn(block);
        budget_ -= std::min(budget_, steps);
        if (state_.stopped) return ends(End::stopped);
        if (block.live == 0) return Turn::finished;
        if (block.stall != Block::Stall::none && stalls_now(block)) return Turn::goes_on;
        if (steps == 0) {
            const Stuck how = stuck(block);
            if (how == Stuck::waits) return Turn::goes_on;
            if (how == Stuck::deadlocked) {
                state_.faults.deadlock(block);
                return ends(End::stopped);
            }
        }
        if (budget_ == 0) {
            state_.faults.budget_spent(block, limits_.warp_instructions);
            return ends(End::stopped);
        }
    }
    if (state_.loops != nullptr && loops_.alone().warp != nullptr) {
        report_endless(block, *loops_.alone().warp, Why::repeats_alone);
        return ends(End::stopped);
    }
    if (progress.cancelled()) return ends(End::cancelled);
    if (state_.independence != nullptr && state_.independence->violated()) return ends(End::stopped);
    if (block.recorded && state_.writer.bytes() > record_bytes_) {
        // A full record of the loop is worth more than further rounds that are not recorded.
        if (state_.replay == nullptr && report_without_exit()) return ends(End::stopped);
        const bool alone = state_.writer.trace().launches.back().recorded.size() == 1;
        if (!alone)
            record_less();
        else if (!may_record_first())
            cut_record(block);
        else if (!full_at_)
            full_at_ = state_.writer.next_step();
    }
    return Turn::goes_on;
}

bool Grid::idles(const Block& block) {
    return std::ranges::all_of(block.warps,
                               [](const Warp& warp) { return !warp.control.runnable() || warp.control.spins(); });
}

void Grid::note_run(Block& block, bool idle) const {
    if (state_.runs.empty()) return;
    std::uint64_t longest = 0, sum = 0;
    for (const Warp& warp : block.warps) {
        longest = std::max(longest, warp.clock);
        sum += warp.clock;
    }
    if (idle) block.waited += longest - block.clock_seen;
    block.clock_seen = longest;
    const auto kept = [](std::uint64_t count) {
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, std::numeric_limits<std::uint32_t>::max()));
    };
    state_.runs[block.id.index()] = {
        .warp_instructions = kept(sum), .longest_warp = kept(longest), .waited = kept(block.waited)};
}

void Grid::begin_rounds() {
    state_.loops = nullptr;
    rounds_ = 0;
    rounds_began_ = said_ = std::chrono::steady_clock::now();
    const bool records = std::ranges::any_of(running_, [](const auto& block) { return block->recorded; });
    window_at_ = records ? early_window : first_window;
    unchanged_since_ = budget_;
    unchanged_stores_ = unknown_stores;  // until a window closes
    taken_at_ = budget_;
    taken_ = 0;
    taken_before_.reset();
}

/// Atomics are left out: one that fails, or adds 0, changes nothing.
std::uint64_t Grid::stores() const {
    std::uint64_t sum = 0;
    for (const trace::Counts& counts : state_.epochs) {
        sum += counts.global_store_instructions + counts.shared_store_instructions;
    }
    return sum;
}

std::uint64_t Grid::taken() const {
    std::uint64_t atomics = 0;
    for (const trace::Counts& counts : state_.epochs)
        atomics += counts.global_atomic_instructions + counts.shared_atomic_instructions;
    return begin_budget_ - budget_ + time_of_atomic * atomics;
}

bool Grid::has_uncounted_loop() {
    return std::ranges::any_of(running_, [&](const auto& block) {
        return std::ranges::any_of(block->warps, [&](const Warp& warp) { return loops_.is_without_count(warp); });
    });
}

void Grid::say_progress(std::uint64_t unchanged, Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (now - said_ < said_every) return;
    said_ = now;
    struct Limit {
        std::uint64_t spent, most;
        std::string_view what;
    };
    // The limit that ends the launch first, as far as it is known.
    Limit next{limits_.warp_instructions - budget_, limits_.warp_instructions, "of all launches"};
    const auto consider = [&](const Limit& other) {
        if (static_cast<double>(other.spent) / static_cast<double>(other.most) >=
            static_cast<double>(next.spent) / static_cast<double>(next.most))
            next = other;
    };
    consider({unchanged, limits_.unchanged_instructions, "in which no value in memory changes"});
    // A sum of its own, so that no clock decides where a launch is stopped.
    const std::uint64_t taken_now = taken();
    if (has_uncounted_loop())
        consider({taken_now - taken_before_.value_or(taken_now - (taken_at_ - budget_)), limits_.uncounted_instructions,
                  "of loops that do not count towards an exit"});
    progress.report(std::min(static_cast<float>(next.spent) / static_cast<float>(next.most), 1.0F));
    std::string text = fmt::format("launch {}, {}: {} warp instructions {}", grouped(state_.number),
                                   source_name_of(state_.code.kernel->name),
                                   share_of_limit(std::min(next.spent, next.most), next.most), next.what);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(now - rounds_began_).count();
    if (seconds > 0) text += fmt::format("; no block has ended for {} s", seconds);
    progress.say(std::move(text));
}

void Grid::open_window() {
    loops_.open();
    changes_before_ = loops_.changes();
    state_.loops = &loops_;
    window_end_ = rounds_ + std::max(least_window, rounds_ / window_share);
}

bool Grid::close_window() {
    state_.loops = nullptr;
    window_at_ = 2 * rounds_;
    const std::uint64_t now = stores();
    if (loops_.changes() != changes_before_ || now != unchanged_stores_) {
        unchanged_since_ = budget_;
        unchanged_stores_ = now;
    }
    return unchanged_since_ - budget_ < limits_.unchanged_instructions;
}

Grid::Endless Grid::endless_blocks() {
    Endless found{.all = true, .alone = nullptr};
    for (const auto& block : running_) {  // in every round, each block must be asked
        if (block->stall == Block::Stall::now) continue;
        if (state_.schedule != nullptr && state_.schedule->has_waiting(*block)) continue;
        const bool endless = loops_.cannot_end(*block);
        found.all = found.all && endless;
        if (endless && found.alone == nullptr && loops_.are_decided_by_registers()) found.alone = block.get();
    }
    return found;
}

bool Grid::stalls_now(Block& block) const {
    const bool past_barrier = std::ranges::any_of(block.warps, [](const Warp& warp) { return warp.epoch > 0; });
    if (block.stall == Block::Stall::to_come && past_barrier) block.stall = Block::Stall::now;
    return block.stall == Block::Stall::now;
}

bool Grid::resume_waiting() {
    bool some = false;
    for (const auto& block : running_) {
        if (block->stall != Block::Stall::now) continue;
        some = true;
        block->stall = Block::Stall::none;
        trace::Trace& trace = state_.writer.trace();
        if (block->recorded)
            trace.launches.back().residency.stalls.push_back(
                {.block = block->id, .resumed = StepId(static_cast<std::uint32_t>(trace.step_count()))});
    }
    if (!some && state_.schedule != nullptr)
        some = state_.schedule->release_first([&](Block& block, Warp& warp) {
            with_interpreter(block, [&](auto& interpreter) { interpreter.step(block, warp); });
        });
    if (some) begin_rounds();
    return some;
}

bool Grid::goes_on(bool all_spin, Progress& progress) {
    ++rounds_;
    const auto more_come = [&] {
        bring_in(running_.size());
        begin_rounds();
        window_at_ = early_window;
        return true;
    };
    if (all_spin && more_may_come()) return more_come();
    if (all_spin && resume_waiting()) return true;
    const std::uint64_t unchanged = unchanged_since_ - budget_;
    // Counts are kept by pass, and a block may have many: they are summed up now and then.
    if (taken_at_ - budget_ >= std::min(most_unsummed, limits_.uncounted_instructions / 16)) {
        taken_ = taken();
        if (!taken_before_) taken_before_ = taken_ - (taken_at_ - budget_);
        taken_at_ = budget_;
    }
    const std::uint64_t uncounted = taken_ - taken_before_.value_or(taken_);
    say_progress(unchanged, progress);
    if (uncounted >= limits_.uncounted_instructions && has_uncounted_loop()) {
        state_.faults.budget_spent(*running_.front(), limits_.uncounted_instructions, Faults::Spent::uncounted);
        return false;
    }
    if (state_.loops == nullptr) {
        const bool first_spin = all_spin && rounds_ < window_at_ && window_at_ <= first_window;
        const bool opens = rounds_ >= window_at_ || first_spin || unchanged >= limits_.unchanged_instructions;
        // A replay of a GPU's record reads other values than memory holds.
        if (opens && state_.replay == nullptr) open_window();
        return true;
    }
    const Endless endless = endless_blocks();
    if (endless.alone != nullptr) {
        report_endless(*endless.alone, first_runnable(*endless.alone), Why::repeats_alone);
        return false;
    }
    if (endless.all) {
        if (more_may_come()) return more_come();
        if (resume_waiting()) return true;
        report_all_endless();
        return false;
    }
    if (rounds_ < window_end_) return true;
    const bool may_go_on = close_window();
    if (begin_budget_ - budget_ >= least_without_exit && report_without_exit()) return false;
    if (may_go_on) return true;
    state_.faults.budget_spent(*running_.front(), limits_.unchanged_instructions, Faults::Spent::unchanged);
    return false;
}

/// A warp in a loop that no branch leaves keeps the launch from ending, whatever it computes and others do.
bool Grid::report_without_exit() {
    for (const auto& block : running_) {
        for (Warp& warp : block->warps) {
            if (!loops_.has_no_exit(warp)) continue;
            report_endless(*block, warp, Why::no_exit);
            return true;
        }
    }
    return false;
}

Warp& Grid::first_runnable(Block& block) {
    const auto found = std::ranges::find_if(block.warps, [](const Warp& warp) { return warp.control.runnable(); });
    return found != block.warps.end() ? *found : block.warps.front();
}

/// Executes the block further, step by step, until the warp is back where it is now: in the same state or, if its
/// values keep changing, at the same instruction.
LoopPeriod Grid::observe(Block& block, Warp& warp, Why why) {
    state_.loops = nullptr;
    const Code& code = state_.code;
    LoopPeriod period(code, warp);
    EndlessLoops::State begin = loops_.state_of(block, warp);
    const std::uint64_t clock = warp.clock;
    const Pc begin_pc = warp.control.pc();
    const auto is_back = [&] {
        if (warp.clock == clock || !warp.control.runnable()) return false;
        return why == Why::no_exit ? warp.control.pc() == begin_pc : loops_.is_in(begin, block, warp);
    };
    unsigned steps = 0;
    for (bool some = true; some && steps < most_observed;) {
        some = false;
        for (Warp& each : block.warps) {
            if (!each.control.runnable()) continue;
            some = true;
            ++steps;
            const bool observed = &each == &warp;
            const Pc pc = each.control.pc();
            if (observed) period.before(pc, each);
            with_interpreter(block, [&](auto& interpreter) { interpreter.step(block, each); });
            if (observed && block.recorded) period.recorded(pc, each.step);
        }
        if (is_back()) break;
    }
    return period;
}

void Grid::report_endless(Block& block, Warp& warp, Why why) {
    const LoopPeriod period = observe(block, warp, why);
    EndlessLoop found{.block = block,
                      .warp = warp,
                      .period = period,
                      .loop = loop_in(state_.code, period),
                      .grid_barrier = {.address = places_.workspace, .blocks = request_.grid.count()}};
    if (loops_.are_decided_by_registers()) found.loop.waits_for.reset();  // it reads memory, but does not wait for it
    if (why == Why::no_exit) loops_.name_loop_without_exit(warp, found.loop);
    if (why == Why::all_repeat) {
        const auto runs = [](const Warp& each) { return each.control.runnable(); };
        found.repeating_warps = 0;
        for (const auto& each : running_) {
            found.repeating_warps += static_cast<std::uint64_t>(std::ranges::count_if(each->warps, runs));
        }
        for (const auto& each : running_) found.resident_blocks.push_back(each->id.value);
        for (std::uint64_t i = next_; i < range_.past_last; ++i)
            found.blocks_to_come.push_back(static_cast<std::uint32_t>(block_at(i)));
        std::ranges::sort(found.resident_blocks);
        std::ranges::sort(found.blocks_to_come);
        found.multiprocessors = residency_.multiprocessors;
    }
    found.all_are_checked = limits_.checked == Checked::all_blocks ||
                            (limits_.checked == Checked::recorded_blocks && all_recorded_ && !state_.cut);
    if (const std::optional<LoopPeriod::Read>& read = found.loop.waits_for) {
        const bool shared = read->space == ptx::Space::shared;
        const Region* const region = shared ? &block.shared : state_.find(read->address);
        const std::uint64_t offset = read->address - (shared || region == nullptr ? 0 : region->base());
        if (region != nullptr && offset + read->bytes <= region->bytes()) {
            std::memcpy(&found.value, region->data() + offset, std::min<std::size_t>(read->bytes, sizeof found.value));
            found.last_write = state_.check.last_write(block, read->space, *region, offset, read->bytes);
        }
    }
    state_.faults.endless_loop(found);
}

void Grid::report_all_endless() {
    Block* first = nullptr;
    for (const auto& block : running_) {
        if (first == nullptr || block->id.value < first->id.value) first = block.get();
    }
    report_endless(*first, first_runnable(*first), Why::all_repeat);
}

/// Most blocks record about as much as the first one, which gives the size.
void Grid::finish_record() {
    if (++recorded_ > 1 || running_.size() > 1) return;
    const std::uint64_t past = std::min(range_.recorded, range_.past_last), before = range_.first + recorded_;
    const std::uint64_t to_come = full_ || past < before ? 0 : past - before;
    state_.writer.expect(static_cast<double>(1 + to_come), record_bytes_);
}

bool Grid::may_record_first() const { return state_.writer.bytes() <= 2 * limits_.record_bytes; }

void Grid::record_no_more() {
    state_.cut = full_ = true;
    if (order_.empty()) range_.recorded = std::min(range_.recorded, next_);
}

void Grid::end_record_of(Block& block) const {
    block.recorded = false;
    // Reports count it as unchecked; checking would make a loop without an end take twice as long.
    block.checked = limits_.checked == Checked::all_blocks;
    block.followed = block.checked || state_.code.releases;
}

void Grid::cut_record(Block& block) {
    record_no_more();
    all_recorded_ = false;
    state_.writer.cut(block.id, full_at_.value_or(state_.writer.next_step()));
    end_record_of(block);
}

void Grid::record_less() {
    record_no_more();
    std::vector<Block*> under_way;
    for (const auto& block : running_) {
        if (block->recorded) under_way.push_back(block.get());
    }
    std::ranges::sort(under_way, {}, [](const Block* block) { return block->id; });
    for (std::size_t i = under_way.size() / 2; i < under_way.size(); ++i) {
        state_.writer.drop(under_way[i]->id);
        end_record_of(*under_way[i]);
    }
}

Grid::End Grid::run(Progress& progress, BlocksDone& done) {
    const std::uint64_t usual =
        state_.code.cooperates        ? request_.grid.count()
        : limits_.resident_blocks > 0 ? limits_.resident_blocks
        : state_.code.communicates || !residency_.order.stalled.empty() || state_.schedule != nullptr ? usual_resident
                                                                                                      : 1;
    bring_in(usual);
    begin_rounds();
    while (!running_.empty()) {
        bool some_ended = false, all_spin = true;
        for (std::size_t i = 0; i < running_.size();) {
            Block& block = *running_[i];
            const bool passed_over = state_.schedule != nullptr && state_.schedule->passes_over();
            if (block.stall == Block::Stall::now || passed_over) {
                all_spin = all_spin && !passed_over;
                ++i;
                continue;
            }
            const Turn turned = quantum(block, progress);
            const bool idle = turned == Turn::goes_on && idles(block);
            note_run(block, idle);
            if (turned == Turn::ended) return end_;
            if (turned == Turn::goes_on) {
                all_spin = all_spin && idle;
                ++i;
                continue;
            }
            some_ended = true;
            if (block.recorded) finish_record();
            progress.report(static_cast<float>(++done.blocks) / static_cast<float>(done.total));
            if (progress.cancelled()) return End::cancelled;
            if (next_ < range_.past_last) {
                start(block, block_at(next_++));
                ++i;
            } else {
                running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
        if (some_ended) {
            begin_rounds();
        } else if (!goes_on(all_spin, progress)) {
            return End::stopped;
        }
    }
    return End::complete;
}

}  // namespace lanescope::execute
