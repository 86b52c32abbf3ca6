// What the accesses of a block cost beyond the least: wavefronts of shared memory and sectors of global memory, for any
// range of its steps.
#pragma once

#include "analysis/block_view.h"
#include "model/model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace lanescope::analysis {

struct Excess {
    std::uint64_t wavefronts = 0;  ///< beyond those that the same lanes need at adjacent addresses
    std::uint64_t sectors = 0;     ///< of loads and stores, beyond those that their bytes fill side by side
    friend bool operator==(const Excess&, const Excess&) = default;
};

/// The wavefronts that as many lanes need at adjacent addresses from the start of a row; at least 1.
[[nodiscard]] std::size_t least_wavefronts(model::Access access, unsigned bytes, LaneMask lanes,
                                           const model::BankModel& banks);

/// Sectors of a load or store of global memory: those that it needs, and those that its lanes' bytes fill side by side.
struct SectorNeed {
    std::uint64_t sectors = 0, least = 0;
};
/// Zeros for any other effect.
[[nodiscard]] SectorNeed sector_need(const trace::Trace& trace, const trace::Effect& effect,
                                     const InstructionInfo* line);

/// Of one access: wavefronts of shared memory or sectors of global memory.
struct AccessNeed {
    std::uint64_t used = 0;
    std::optional<std::uint64_t> least;  ///< at most `used`; nothing for atomics of global memory
};
/// Nothing for an effect that is no access with a lane, and for other memory.
[[nodiscard]] std::optional<AccessNeed> access_need(const trace::Trace& trace, const trace::Effect& effect,
                                                    const InstructionInfo* line);

class ExcessCounts {
  public:
    /// Reads the accesses of all steps of the block once.
    explicit ExcessCounts(const BlockView& block);

    /// Of the block's steps [first, past_last).
    [[nodiscard]] Excess of(std::size_t first, std::size_t past_last) const;

  private:
    std::vector<Excess> before_;  // of the steps before each, and of all
};

}  // namespace lanescope::analysis
