// How often the warps of a launch access each word of global memory by atomic operations: operations on one word are
// performed one after the other, however many multiprocessors there are.
#pragma once

#include "execute/simt/memory.h"
#include "execute/simt/targets.h"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>

namespace lanescope::execute {

class AtomicWords {
  public:
    /// One warp instruction: each word that it accesses counts once, since the lanes of a warp that access one word are
    /// combined before they reach it.
    void add(const Region& region, const Targets& targets);
    /// Adds the counts of another part of the grid.
    void add(const AtomicWords& other);
    /// The largest number of warp instructions that access one word.
    [[nodiscard]] std::uint64_t most() const { return most_; }

  private:
    static constexpr std::uint64_t word = 4;
    struct Free {
        void operator()(std::uint32_t* counts) const { std::free(counts); }
    };
    /// One counter a word. From calloc: pages of words without atomics take no memory.
    struct Counters {
        std::uint64_t words = 0;
        std::unique_ptr<std::uint32_t[], Free> counts;
    };
    Counters& counters_of(std::uint64_t base, std::uint64_t words);
    void add(Counters& counters, std::uint64_t at, std::uint32_t times);

    std::map<std::uint64_t, Counters> regions_;  // by base address
    std::uint64_t last_base_ = 0;
    Counters* last_ = nullptr;
    std::uint64_t most_ = 0;
};

}  // namespace lanescope::execute
