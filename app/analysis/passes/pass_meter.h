// The measures of a pass, step by step: counts, work, span, lanes. It measures whole passes, and the current one as far
// as it has been executed.
#pragma once

#include "analysis/block_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

/// Measures one pass after another, of one block.
class PassMeter {
  public:
    /// The measures since begin(). Only a pass's numbers are set: counts (but for barriers), work, span, ways, lanes
    /// and useful lanes.
    struct Reading {
        Pass pass;
        std::vector<bool> useful_threads;  ///< that computed something useful
    };

    /// `steps`: all of the block, in order.
    PassMeter(const trace::Trace& trace, const Provenance& provenance, std::uint32_t launch,
              std::span<const StepId> steps);

    void begin(StepId first);  ///< a pass that starts with that step
    void add(StepId step);
    [[nodiscard]] const Reading& reading() const { return reading_; }
    void fill_in(Pass& pass) const;  ///< its numbers, from the reading
    /// Back to what was read when only the steps until then had been added.
    void resume(Reading reading) { reading_ = std::move(reading); }

  private:
    const trace::Trace& trace_;
    const Provenance& provenance_;
    std::uint32_t first_ = 0;           ///< of the block's values
    std::uint32_t pass_begin_ = 0;      ///< of the pass's values
    std::vector<std::uint32_t> chain_;  ///< longest chain of operations that ends in the value, within its pass
    unsigned threads_;
    Reading reading_;
};

/// The pass at a position of a block, as far as it has been executed.
class PassUnderWay {
  public:
    /// `block.passes` must outlive it.
    explicit PassUnderWay(const BlockView& block);

    /// The pass of step number `position`, measured up to that step, which executes next. Steps measured before cost
    /// nothing again. Past the end: the last pass as a whole.
    [[nodiscard]] const Pass& at(std::size_t position);

  private:
    static constexpr std::size_t interval = 256;  ///< steps between readings that are kept
    const BlockPasses& passes_;
    PassMeter meter_;
    std::size_t pass_ = ~std::size_t{0};
    std::size_t measured_ = 0;  ///< steps before this one are in the meter's reading
    std::vector<PassMeter::Reading> kept_;
    Pass under_way_;
};

}  // namespace lanescope::analysis
