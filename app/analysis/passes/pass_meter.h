// The measures of a pass, step by step: counts, work, span, lanes. It measures whole passes, and the current one as far
// as it has been executed.
#pragma once

#include "analysis/block_view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

/// Measures the passes of one block, one after another.
class PassMeter {
  public:
    /// The measures since begin(). Only a pass's numbers are set: counts (except barriers), work, span, ways, lanes and
    /// useful lanes.
    struct Reading {
        Pass pass;
        std::vector<bool> useful_threads;  ///< that computed something useful
    };

    /// `steps`: all steps of the block, in order.
    PassMeter(const trace::Trace& trace, const Provenance& provenance, std::uint32_t launch,
              std::span<const StepId> steps);

    void begin(StepId first);  ///< begins a pass that starts with that step
    void add(StepId step);
    [[nodiscard]] const Reading& reading() const { return reading_; }
    void fill_in(Pass& pass) const;  ///< sets the pass's numbers from the reading
    /// Goes back to an earlier reading, when only the steps until then had been added.
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

    /// The pass of step number `position`, measured up to that step, which executes next. Steps that were measured
    /// before cost nothing. Past the end: the last pass as a whole.
    [[nodiscard]] const Pass& at(std::size_t position);

  private:
    static constexpr std::size_t interval = 256;  ///< steps between readings that are kept
    const BlockPasses& passes_;
    PassMeter meter_;
    std::size_t pass_ = ~std::size_t{0};
    std::size_t measured_ = 0;  ///< the meter's reading has the steps before this one
    std::vector<PassMeter::Reading> kept_;
    Pass under_way_;
};

}  // namespace lanescope::analysis
