// Executes the blocks of one launch, from the first to the last. Resident blocks execute round-robin, each for a
// quantum of instructions per warp. Blocks that wait for what another writes do not stall the launch: when all resident
// blocks spin, or do nothing but repeat themselves, more become resident. When no more can, the launch cannot end.
#pragma once

#include "base/progress.h"
#include "execute/emulator/emulator.h"
#include "execute/emulator/endless_loops.h"
#include "execute/emulator/interpreter.h"
#include "execute/emulator/loop_period.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/special_registers.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace lanescope::execute {

/// Blocks of the whole program that have finished, for reports of progress.
struct BlocksDone {
    std::atomic<std::uint64_t> blocks = 0;
    std::uint64_t total = 1;
};

/// Blocks of a launch.
struct BlockRange {
    std::uint64_t first = 0;
    std::uint64_t past_last = 0;
    std::uint64_t recorded = 0;  ///< blocks below this number are recorded
};

class Grid {
  public:
    /// `budget`: warp instructions left to the whole program. `record_bytes`: how large the record may be after this
    /// launch.
    Grid(LaunchState& state, const LaunchRequest& request, const Limits& limits, const BlockRange& range,
         std::uint64_t workspace, std::uint64_t record_bytes, std::uint64_t& budget);

    enum class End : std::uint8_t {
        complete,
        stopped,  ///< trap, deadlock, budget: it cannot continue; a finding says why
        cancelled,
    };
    [[nodiscard]] End run(Progress& progress, BlocksDone& done);

    /// Where blocks can be resident at once: on the multiprocessors that the limits name, else on an H200's. All blocks
    /// of a cooperative launch must be.
    [[nodiscard]] static trace::Residency places_of(const Code& code, const LaunchRequest& request,
                                                    const Limits& limits);

  private:
    enum class Turn : std::uint8_t { goes_on, finished, ended };

    [[nodiscard]] std::unique_ptr<Block> make_block() const;
    void bring_in(std::uint64_t count);
    void start(Block& block, std::uint64_t index);
    void start_warp(Block& block, Warp& warp);
    /// Runs so many turns of the block; if the launch ends in one of them, `end_` says how.
    Turn quantum(Block& block, Progress& progress);
    /// Calls act(interpreter) with the interpreter of the block.
    template <class Act>
    auto with_interpreter(const Block& block, Act act);
    void finish_record();
    /// The record exceeds its limit: no more blocks are recorded, and of those being recorded the later half is
    /// dropped.
    void record_less();
    /// The same where the block is the only one: the steps that it executed until the limit was reached are kept.
    void cut_record(Block& block);
    void record_no_more();
    void end_record_of(Block& block) const;
    /// Whether the first block may be recorded as a whole although the launch's share is used up: one block is, within
    /// twice the bound.
    [[nodiscard]] bool may_record_first() const;
    [[nodiscard]] static bool idles(const Block& block);
    /// Notes, after a turn of the block, what it has executed so far.
    void note_run(Block& block, bool idle) const;

    // Loops that cannot end (endless_loops.h). A round is a turn of each resident block.

    /// A block has begun or ended: what was known of loops no longer holds.
    void begin_rounds();
    /// Decides after a round in which no block has ended. False: the launch stops.
    bool goes_on(bool all_spin, Progress& progress);
    void open_window();
    /// Returns false if too much was executed since memory last changed.
    bool close_window();
    [[nodiscard]] bool more_may_come() const {
        return next_ < range_.past_last && running_.size() < residency_.places();
    }
    /// The block that starts as the i-th of the launch.
    [[nodiscard]] std::uint64_t block_at(std::uint64_t i) const { return order_.empty() ? i : order_[i]; }
    /// Whether the block is one that stalls, and has reached its first barrier: then it has no turn for now.
    [[nodiscard]] bool stalls_now(Block& block) const;
    /// All other resident blocks wait or have ended: resumes the stalled ones, or else what waits for the schedule.
    /// False if there are none.
    bool resume_waiting();
    /// Warps of the block execute their next instructions, in the schedule's order if there is one. Returns how many.
    std::uint64_t turn(Block& block);
    /// No warp of the block can execute: it waits for other blocks, or it is deadlocked, or some lanes could be
    /// released.
    enum class Stuck : std::uint8_t { goes_on, waits, deadlocked };
    [[nodiscard]] Stuck stuck(Block& block);
    /// Whether none of the running blocks can end, and one that cannot, whatever others do.
    struct Endless {
        bool all = false;
        Block* alone = nullptr;
    };
    [[nodiscard]] Endless endless_blocks();
    [[nodiscard]] static Warp& first_runnable(Block& block);
    /// Why a loop has no end: every warp that can execute repeats itself, this one does whatever others do, or no
    /// branch leads out of it.
    enum class Why : std::uint8_t { all_repeat, repeats_alone, no_exit };
    /// Reports the loop of that warp.
    void report_endless(Block& block, Warp& warp, Why why);
    [[nodiscard]] bool report_without_exit();
    void report_all_endless();
    LoopPeriod observe(Block& block, Warp& warp, Why why);
    [[nodiscard]] std::uint64_t stores() const;
    /// Warp instructions of the launch so far, where an atomic counts as the instructions that take as long.
    [[nodiscard]] std::uint64_t taken() const;
    [[nodiscard]] bool has_uncounted_loop();
    /// Reports now and then how far the nearest limit is, if no block ends.
    void say_progress(std::uint64_t unchanged, Progress& progress);

    LaunchState& state_;
    const LaunchRequest& request_;
    const Limits& limits_;
    LaunchPlaces places_;
    std::uint64_t shared_bytes_ = 0;
    BlockRange range_;
    std::uint64_t record_bytes_;
    std::uint64_t& budget_;
    std::uint64_t begin_budget_;  ///< `budget_` at the start of the launch
    trace::Residency residency_;
    std::vector<std::uint32_t> order_;  ///< in which blocks start; empty: ascending
    bool has_barrier_ = false;
    std::uint64_t next_ = 0;         ///< block to start, in that order
    bool full_ = false;              ///< the record has no room for more blocks
    std::optional<StepId> full_at_;  ///< the step at which the only recorded block reached the limit
    bool all_recorded_ = true;       ///< of the blocks that have started
    std::uint64_t recorded_ = 0;
    std::uint64_t quanta_ = 0;
    End end_ = End::complete;
    EndlessLoops loops_;
    std::uint64_t rounds_ = 0;  ///< since a block began or ended
    std::chrono::steady_clock::time_point rounds_began_;
    std::uint64_t window_at_ = 0;  ///< the round after which a window opens
    std::uint64_t window_end_ = 0;
    std::uint64_t changes_before_ = 0;   ///< EndlessLoops::changes() when the window opened
    std::uint64_t unchanged_since_ = 0;  ///< budget left when memory had last changed, as far as it is known
    static constexpr std::uint64_t unknown_stores = ~std::uint64_t{0};
    std::uint64_t unchanged_stores_ = unknown_stores;  ///< stores until then
    std::uint64_t taken_ = 0, taken_at_ = 0;           ///< taken(), as it was with that much of the budget left
    std::optional<std::uint64_t> taken_before_;        ///< the same soon after a block last began or ended
    std::chrono::steady_clock::time_point said_;       ///< the progress
    Interpreter<FixedLevel<RecordLevel::registers>> recorder_;
    Interpreter<FixedLevel<RecordLevel::accesses>> access_recorder_;
    Interpreter<FixedLevel<RecordLevel::counts>> counter_;
    std::vector<std::unique_ptr<Block>> running_;
};

}  // namespace lanescope::execute
