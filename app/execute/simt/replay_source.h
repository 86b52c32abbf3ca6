// The values that a GPU's threads got, for an executor that replays those that PTX does not determine: a load of a word
// that another thread writes at the same time, an atomic's old value, the result of an approximate instruction.
#pragma once

#include "base/ids.h"

#include <cstdint>
#include <optional>

namespace lanescope::execute {

struct ApproximateResult;

class ReplaySource {
  public:
    ReplaySource() = default;
    ReplaySource(const ReplaySource&) = delete;
    ReplaySource& operator=(const ReplaySource&) = delete;
    virtual ~ReplaySource() = default;

    /// The value that `thread` of the block reads by the instruction at `line`, which it executes now, from `address`,
    /// as a trace names it: the bits of one element, an atomic's old value, the time; nothing if the executor itself
    /// knows it. Called in each thread's own order.
    [[nodiscard]] virtual std::optional<std::uint64_t> next(std::uint32_t launch, BlockId block, std::uint32_t thread,
                                                            PtxLine line, std::uint64_t address) = 0;
    /// The result of the approximate instruction at `line`, which the thread executes now; nothing if the executor
    /// keeps its own. Called like next().
    [[nodiscard]] virtual std::optional<std::uint64_t> approximate(std::uint32_t launch, BlockId block,
                                                                   std::uint32_t thread, PtxLine line,
                                                                   const ApproximateResult& own) = 0;
};

}  // namespace lanescope::execute
