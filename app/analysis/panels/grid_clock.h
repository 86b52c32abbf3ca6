// The parts of grid_picture: the clocks of one block's warps, and the last writer of each word of global memory.
#pragma once

#include "analysis/panels/grid_picture.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace lanescope::analysis {

/// The ticks at which the warps of one block execute its steps, given in the order of the trace.
class BlockTicks {
  public:
    /// `ticks_a_step`: 1 where every instruction is a step.
    BlockTicks(std::uint64_t first, double ticks_a_step) : first_(first), pace_(ticks_a_step) {}

    void begin_step(StepId id, const trace::Step& step);
    /// The step reads global memory. If it has done so before, with no write of its own in between, it polls.
    void poll(const trace::Effect& effect, std::uint64_t address);
    /// The step reads a value that a step of another block wrote at that tick.
    void after_write(StepId writer, std::uint64_t tick);
    /// `arrives`: at a barrier of the block. Stores the step's tick in `ticks`, and corrects the ticks of the polls
    /// that it ends.
    void end_step(bool arrives, bool writes, std::vector<std::uint64_t>& ticks, const trace::Trace& trace);

    /// All warps go on at that tick at the earliest.
    void resume_at(std::uint64_t tick) { resumed_at_ = tick; }
    /// The warps that poll now go on polling until the launch ends: they wait.
    void wait_forever();
    /// The tick that the block has reached, without the polls that its warps are in.
    [[nodiscard]] std::uint64_t progressed_to() const;

    [[nodiscard]] std::uint64_t end() const;
    [[nodiscard]] std::uint64_t steps() const { return steps_; }
    /// The ticks in which no warp executed, ascending.
    [[nodiscard]] std::vector<GridSpan> waits() const;

  private:
    struct Poll {
        PtxLine line;  ///< invalid: unused
        LaneMask lanes;
        std::uint64_t address = 0;
        StepId step;  ///< the first of them
        std::uint64_t tick = 0;
        bool again = false;  ///< it did so more than once
    };
    struct Warp {
        bool begun = false;
        double now = 0;                ///< of its next step
        std::vector<GridSpan> busy{};  ///< ascending, adjacent ones joined
        std::array<Poll, 4> polls{};
        std::size_t next_poll = 0;
        bool exited = false;                     ///< by its last step, lanes of it
        std::optional<std::uint32_t> arrived{};  ///< at the barrier that ends this epoch
    };

    [[nodiscard]] static std::optional<std::uint64_t> polls_since(const Warp& warp);

    std::uint64_t first_;
    double pace_;
    std::uint64_t resumed_at_ = 0;
    std::uint64_t forever_ = 0;  ///< the tick until which polls wait that no write ends
    std::uint64_t steps_ = 0;
    std::vector<Warp> warps_;
    std::vector<std::uint64_t> arrivals_;  ///< by epoch: when the last warp arrived at the barrier that ends it

    // The step under way.
    StepId id_;
    const trace::Step* step_ = nullptr;
    Warp* warp_ = nullptr;
    Poll* polls_ = nullptr;         ///< the poll that it may end
    StepId ended_poll_;             ///< the first step of the poll that it does end
    std::uint64_t not_before_ = 0;  ///< the earliest tick at which it executes
};

/// Whether a store or an atomic changed any word, or stored at all: an atomic that adds 0 only reads.
[[nodiscard]] bool changes_memory(const trace::Trace& trace, const trace::Effect& effect);

/// The step that last wrote each word of global memory.
class LastWriters {
  public:
    explicit LastWriters(const trace::Trace& trace);

    void write(const trace::Effect& effect, StepId step);
    void forget(std::uint64_t address, std::uint64_t bytes);  ///< the host writes there
    /// Calls act(step, address) for each word that the effect reads and a step wrote.
    template <class Act>
    void for_each_read(const trace::Effect& effect, const Act& act) const {
        for (const unsigned lane : effect.lanes) {
            const std::uint64_t first = trace_.address(effect, lane) / word;
            const std::uint64_t last = (trace_.address(effect, lane) + bytes_of(effect) - 1) / word;
            for (std::uint64_t at = first; at <= last; ++at) {
                const auto page = pages_.find(at / page_words);
                if (page == pages_.end()) break;
                const StepId writer = (*page->second)[at % page_words];
                if (writer.valid()) act(writer, at * word, lane);
            }
        }
    }
    /// Index in Trace::buffers.
    [[nodiscard]] std::optional<std::uint32_t> buffer_of(std::uint64_t address) const;

  private:
    static constexpr std::uint64_t word = 4, page_words = 256;
    using Page = std::array<StepId, page_words>;
    [[nodiscard]] static std::uint64_t bytes_of(const trace::Effect& effect) {
        return std::max<std::uint64_t>(std::uint64_t{effect.bytes} * effect.elements, 1);
    }

    const trace::Trace& trace_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    std::vector<std::uint32_t> by_address_;  ///< buffers
};

}  // namespace lanescope::analysis
