// The exact bytes of global memory that a launch accesses: they show whether unordered work accesses the same memory.
#pragma once

#include "base/zeroed_array.h"
#include "execute/simt/memory.h"
#include "execute/simt/targets.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope::execute {

class AccessedBytes {
  public:
    using Uses = std::uint8_t;
    static constexpr Uses reads = 1, writes = 2, atomic = 4;

    /// Consecutive bytes that are used alike.
    struct Span {
        std::uint64_t address = 0, bytes = 0;
        Uses uses = 0;  ///< a sum of the above
    };

    /// Follows the pieces of memory that exist now; not the device's heap.
    explicit AccessedBytes(const GlobalMemory& memory);

    /// Lanes access `bytes` each. Several threads may call this at once.
    void note(const Region& region, const Targets& targets, unsigned bytes, Uses use);

    /// Ascending.
    [[nodiscard]] std::vector<Span> spans() const;

  private:
    std::unordered_map<const Region*, ZeroedArray<Uses>> used_;  ///< by the byte
};

}  // namespace lanescope::execute
