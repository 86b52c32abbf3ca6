// The cost of an access, cached: wavefronts and sectors depend on the lanes' distances and little on their start, and a
// kernel repeats the same few patterns. It is exact, because the key is the whole pattern.
#pragma once

#include "execute/simt/targets.h"
#include "model/model.h"

#include <array>
#include <cstdint>
#include <memory>

namespace lanescope::execute {

class AccessCost {
  public:
    AccessCost() = default;
    AccessCost(model::Access access, unsigned bytes, const model::BankModel& banks)
        : access_(access),
          bytes_(bytes),
          banks_(banks),
          plain_(model::is_plain(access)),
          one_wavefront_(plain_ && bytes <= 4 && banks == model::BankModel{}) {}

    /// The same without the cache.
    [[nodiscard]] AccessCost fresh() const { return AccessCost(access_, bytes_, banks_); }

    /// Consecutive words, loaded or stored, are one wavefront: no two are in one bank.
    [[nodiscard]] bool consecutive_words_are_one_wavefront() const { return one_wavefront_; }
    /// All 32 lanes, consecutive, the first at this offset.
    [[nodiscard]] static unsigned sectors_of_consecutive(std::uint32_t first, unsigned bytes) {
        return (first + warp_size * bytes - 1) / model::sector_bytes - first / model::sector_bytes + 1;
    }

    [[nodiscard]] model::Wavefronts wavefronts(const Targets& targets);
    [[nodiscard]] unsigned sectors(const Targets& targets);

  private:
    static constexpr unsigned entries = 64;
    struct Pattern {
        alignas(64) std::array<std::uint32_t, 32> distance;
        LaneMask lanes;
        std::uint32_t begin = 0;  ///< of the first lane, modulo what the result depends on
        model::Wavefronts wavefronts;
        unsigned sectors = 0;
    };
    using Patterns = std::array<Pattern, entries>;

    /// Finds the cached pattern, or a place for a new one; true if it is cached.
    bool look_up(std::unique_ptr<Patterns>& patterns, const Targets& targets, std::uint32_t begin, Pattern*& place);

    model::Access access_ = model::Access::load;
    unsigned bytes_ = 4;
    model::BankModel banks_;
    bool plain_ = true;  ///< not an atomic
    bool one_wavefront_ = true;
    std::unique_ptr<Patterns> shared_;
    std::unique_ptr<Patterns> global_;
};

}  // namespace lanescope::execute
