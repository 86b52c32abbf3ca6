// Whether blocks that run at the same time are independent (CUDA C++ Programming Guide, "Thread Hierarchy"): no word of
// global memory is written by one part of the grid and accessed by another. A part is a range of blocks that one host
// thread executes in order; only between parts can the order matter.
#pragma once

#include "base/zeroed_array.h"
#include "execute/simt/memory.h"
#include "execute/simt/targets.h"

#include <atomic>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope::execute {

/// A part of the grid, by its number: from 1 to most_parts.
using Part = std::uint16_t;
inline constexpr unsigned most_parts = 1000;

class BlockIndependence {
  public:
    /// `written`: the regions that the parts may write, as found by the blocks that ran before them.
    explicit BlockIndependence(const std::vector<const Region*>& written);

    /// Lanes of `part` access `bytes` each. Several threads may call this at once. False: another part has accessed
    /// them, or a write cannot be undone; then everything that the parts did is undone.
    [[nodiscard]] bool touch(const Region& region, const Targets& targets, unsigned bytes, bool writes, Part part);

    /// Two parts accessed the same word, or a region was written unexpectedly.
    [[nodiscard]] bool violated() const { return violated_.load(std::memory_order_relaxed); }

  private:
    using Tags = ZeroedArray<Part>;  ///< by the word: 0 none, else a part, or `several`
    struct Words {
        Tags readers;
        Tags writers;
    };
    static constexpr Part several = ~Part{0};
    static constexpr unsigned word_bytes = 4;

    static bool read(Words& words, std::uint64_t word, Part part);
    static bool write(Words& words, std::uint64_t word, Part part);

    std::unordered_map<const Region*, Words> written_;
    std::atomic<bool> violated_{false};
};

}  // namespace lanescope::execute
