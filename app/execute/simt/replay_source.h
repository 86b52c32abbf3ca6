// The reads of a GPU's threads, for an executor that replays them where the order of accesses is not determined: a load
// of a word that another thread writes meanwhile, an atomic's old value.
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>

namespace lanescope::execute {

class ReplaySource {
  public:
    ReplaySource() = default;
    ReplaySource(const ReplaySource&) = delete;
    ReplaySource& operator=(const ReplaySource&) = delete;
    virtual ~ReplaySource() = default;

    /// The value that `thread` of the block reads by the instruction at `line`, which it executes now, from `address`,
    /// as a trace names it: the bits of one element, an atomic's old value, the time; nothing where the executor itself
    /// knows it. Called in each thread's own order.
    [[nodiscard]] virtual std::optional<std::uint64_t> next(std::uint32_t launch, BlockId block, std::uint32_t thread,
                                                            PtxLine line, std::uint64_t address) = 0;
};

}  // namespace lanescope::execute
