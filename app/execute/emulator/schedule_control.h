// Makes the threads that a schedule names wait, and releases them. Their warp's other lanes, warps and blocks execute
// in the meantime; when nothing else can, the grid releases them one hold after the other, before it considers the
// launch stuck. So a hold can delay a kernel, but not stop it.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/machine.h"
#include "execute/emulator/schedule.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace lanescope::execute {

class ScheduleControl {
  public:
    explicit ScheduleControl(const Schedule& schedule);

    /// Whether the schedule applies to the launch with that number. Discards the waits of the launch before.
    [[nodiscard]] bool begin_launch(std::uint32_t number, const Code& code);

    /// Calls step(warp) for the warps of the block that take a turn, each to execute one instruction. Returns how many
    /// did.
    template <class Step>
    unsigned turn(Block& block, Step step) {
        if (shuffled_) return shuffled_turn(block, step);
        unsigned steps = 0;
        for (Warp& warp : block.warps) {
            if (!may_step(block, warp)) continue;
            step(warp);
            ++steps;
        }
        return steps;
    }
    /// Turns of a block before the next one's, at most `usual`; random if the schedule is shuffled.
    [[nodiscard]] unsigned turns(unsigned usual) { return shuffled_ ? 1 + drawn(usual) : usual; }
    /// Whether the block is skipped for now.
    [[nodiscard]] bool passes_over() { return shuffled_ && drawn(2) == 0; }

    [[nodiscard]] bool has_waiting(const Block& block) const;
    /// No warp of the block can execute: lanes that wait at a reconvergence point for some that wait for the schedule
    /// continue without them. False: there are none.
    [[nodiscard]] bool leave_waiting(Block& block) const;
    /// Nothing else can execute: what waits for the first hold continues. A store that was delayed is executed by
    /// step(block, warp). False: nothing waits.
    template <class Step>
    bool release_first(Step step) {
        const auto first = std::ranges::find_if(states_, [](const State& state) { return state.waits_now(); });
        if (first == states_.end()) return false;
        if (first->delayed.any()) {
            Warp& warp = *first->warp;
            WarpControl others = std::exchange(warp.control, WarpControl());
            warp.control.start(std::exchange(first->delayed, LaneMask()), first->delayed_at);
            step(*first->block, warp);
            warp.control = std::move(others);
        }
        resume(*first);
        return true;
    }

    /// The loads of the launch that return old values; what they then did is added to the notes.
    [[nodiscard]] std::vector<Hold> stale_loads() const;
    void add_stale_loads(const std::vector<std::uint64_t>& times);

    /// A sentence for each hold: its effect, or that it never applied.
    [[nodiscard]] std::vector<std::string> notes() const;

  private:
    struct State {
        Hold hold;
        bool applies = false;  ///< to this launch
        std::uint32_t comes = 0;
        std::uint64_t waits = 0;  ///< in all launches
        std::uint32_t source_line = 0;
        Block* block = nullptr;
        Warp* warp = nullptr;
        LaneMask waiting;
        LaneMask passing;  ///< at the line, and do not wait there: they may reach it again while they wait for others
        LaneMask delayed;  ///< whose store is still to be executed
        Pc delayed_at = no_pc;
        [[nodiscard]] bool waits_now() const { return waiting.any() || delayed.any(); }
    };

    /// Whether the warp is to execute its next instruction now.
    [[nodiscard]] bool may_step(Block& block, Warp& warp);
    /// True: lanes of the current path wait now, or have delayed a store.
    bool applies(State& state, Block& block, Warp& warp);
    bool delays(State& state, Block& block, Warp& warp, LaneMask lanes);
    void wait(State& state, Block& block, Warp& warp, LaneMask lanes);
    static void resume(State& state);
    /// Whether the delayed store must be executed before the lanes execute `micro`.
    [[nodiscard]] bool follows_store(const State& state, Warp& warp, const Micro& micro, LaneMask lanes) const;
    [[nodiscard]] std::uint64_t drawn(std::uint64_t below);

    template <class Step>
    unsigned shuffled_turn(Block& block, Step step) {
        constexpr std::uint64_t longest_run = 48;
        unsigned steps = 0;
        while (steps == 0) {
            std::vector<Warp*> ready;
            for (Warp& warp : block.warps) {
                if (warp.control.runnable()) ready.push_back(&warp);
            }
            if (ready.empty()) return 0;
            Warp& warp = *ready[drawn(ready.size())];
            for (std::uint64_t left = 1 + drawn(longest_run); left > 0 && may_step(block, warp); --left) {
                step(warp);
                ++steps;
            }
        }
        return steps;
    }

    std::vector<State> states_;
    bool shuffled_ = false;
    std::uint64_t random_ = 0;
    const Code* code_ = nullptr;
};

}  // namespace lanescope::execute
