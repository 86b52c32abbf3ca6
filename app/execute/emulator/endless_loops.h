// Finds loops that cannot end. A warp that is in a state for the second time, while the memory that it reads has not
// changed, repeats what it did in between: registers, local memory and divergence alone determine what it does. When
// every warp that can execute repeats itself, no value ever changes again. A warp whose loop reads no memory that
// others can write repeats itself whatever they do. If a few registers alone decide where the loops of a kernel lead
// (LoopControl), only these are compared, and other values may keep changing: the warp never leaves its loop.
//
// The waits of libcu++ (barriers, semaphores, atomics) read the clock to wait longer each time, and leave their loops
// for other reasons. A warp that does nothing but spin in one repeats itself as well.
//
// States are compared in windows that the Grid opens now and then (Brent's cycle detection: the state at a power of two
// of backward branches is kept and compared with all that follow). Outside of windows nothing is kept or compared.
#pragma once

#include "execute/emulator/code.h"
#include "execute/emulator/loop_control.h"
#include "execute/emulator/loop_period.h"
#include "execute/emulator/machine.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace lanescope::execute {

class EndlessLoops {
  public:
    explicit EndlessLoops(const Code& code) : code_(code) {}

    /// A window opens: no state is known.
    void open();

    // Events in a window, reported by the interpreter.

    /// Lanes of the warp have taken a branch that leads back. A path that repeats itself yields to the others.
    void turned_back(const Block& block, Warp& warp, LaneMask taken);
    /// A value of shared or global memory has changed.
    void changed() { ++changes_; }
    [[nodiscard]] std::uint64_t changes() const { return changes_; }
    /// The warp reads memory that other threads may write.
    void reads(const Warp& warp);
    /// The warp reads a clock: then no state is the same.
    void reads_clock(const Warp& warp, const Micro& micro);
    void passes_barrier(const Warp& warp);

    /// Whether no warp of the block, between two of its turns, can ever do anything but repeat itself or wait.
    [[nodiscard]] bool cannot_end(Block& block);

    /// Whether nothing that a loop of this kernel reads from memory decides where it leads (LoopControl): then a block
    /// that cannot end never does, whatever other blocks do.
    [[nodiscard]] bool are_decided_by_registers() { return control().by_registers; }

    /// Whether the warp is in a loop that does not count towards an exit.
    [[nodiscard]] bool is_without_count(const Warp& warp);
    /// Whether the warp is in a loop that no branch leaves.
    [[nodiscard]] bool has_no_exit(const Warp& warp);
    /// Sets the lines of `loop`, which may be an inner loop, to those of that loop, and removes its exit.
    void name_loop_without_exit(const Warp& warp, Loop& loop);

    /// A warp that repeats itself whatever others do.
    struct Alone {
        const Block* block = nullptr;
        Warp* warp = nullptr;
    };
    [[nodiscard]] const Alone& alone() const { return alone_; }

    /// The state of a warp, to be compared with later ones.
    class State {
      public:
        State() = default;
        State(const Code& code, const LoopControl& control, const Block& block, const Warp& warp);
        [[nodiscard]] bool is_that_of(const Code& code, const LoopControl& control, const Block& block,
                                      const Warp& warp);
        [[nodiscard]] std::size_t bytes() const { return file_.size() + local_.size(); }

      private:
        std::vector<std::byte> file_;   ///< registers; if some alone decide, the rows of LoopControl
        std::vector<std::byte> local_;  ///< local memory of its threads
        WarpControl control_;
        std::vector<std::vector<std::uint64_t>> spilled_;
        std::size_t different_ = 0;  ///< a byte of `file_` that differed last time: compared first
    };

    [[nodiscard]] State state_of(const Block& block, const Warp& warp) { return {code_, control(), block, warp}; }
    [[nodiscard]] bool is_in(State& state, const Block& block, const Warp& warp) {
        return state.is_that_of(code_, control(), block, warp);
    }

  private:
    /// Facts about one warp.
    struct Known {
        const Warp* warp = nullptr;
        std::uint64_t changes = 0;  ///< of memory, when that began to be known
        State kept;
        bool has_kept = false;
        std::uint32_t turns = 0;  ///< branches back since then
        std::uint32_t most_turns = least_turns;
        LaneMask turned;  ///< lanes that have taken them
        bool clock = false;
        bool reads = false;              ///< since `changes`
        std::uint32_t barriers = 0;      ///< passed since the state was kept; once it repeats, in a period
        LaneMask repeating;              ///< lanes of paths that repeat themselves
        bool repeats = false;            ///< all lanes of the warp that can execute do
        bool own_clock = false;          ///< the kernel read a clock in this window
        bool backs_off = false;          ///< a wait of libcu++ did
        unsigned spun_rounds = 0;        ///< rounds of nothing but spinning, while memory did not change
        std::uint64_t spun_changes = 0;  ///< changes of memory at the last of them
        std::uint64_t waited_clock = ~std::uint64_t{0};  ///< Warp::clock when it was last seen waiting
        std::uint64_t waited_changes = 0;
    };
    /// Branches back after which the first state is kept.
    static constexpr std::uint32_t least_turns = 2;
    /// Rounds of spinning after which a wait of libcu++ is known to be without end.
    static constexpr unsigned least_spun_rounds = 4;
    /// Room for states. Warps that find none wait until others are known to repeat themselves.
    static constexpr std::size_t most_kept_bytes = std::size_t{256} << 20;

    /// Computed on first use: most launches open no window.
    [[nodiscard]] const LoopControl& control();
    [[nodiscard]] const LoopsWithoutExit& without_exit();
    [[nodiscard]] Known* find(const Warp& warp);
    [[nodiscard]] Known& known(Warp& warp);
    [[nodiscard]] bool holds(const Known& known) const { return !known.reads || known.changes == changes_; }
    /// Whether the warp does nothing but spin in a wait of libcu++.
    [[nodiscard]] bool only_spins(const Warp& warp, Known& known) const;
    void forget_state(Known& known);
    void restart(Known& known);
    void keep(Known& known, const Block& block, const Warp& warp);
    void repeated(Known& known, const Block& block, Warp& warp);

    const Code& code_;
    std::optional<LoopControl> control_;
    std::optional<LoopsWithoutExit> without_exit_;
    std::optional<std::vector<bool>> without_count_;  ///< loops_without_count()
    std::deque<Known> warps_;                         ///< Warp::watched - 1 is the index
    std::uint64_t changes_ = 0;
    std::size_t kept_bytes_ = 0;
    Alone alone_;
};

}  // namespace lanescope::execute
