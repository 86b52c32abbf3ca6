// What one multiprocessor holds at once, by compute capability.
//
// CUDA C++ Programming Guide, Compute Capabilities, "Technical Specifications per Compute Capability".
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace lanescope::timing {

struct Residency {
    unsigned arch = 0;     ///< compute capability: 90
    unsigned threads = 0;  ///< at most, of a multiprocessor
    unsigned blocks = 0;   ///< likewise

    /// Blocks of so many threads, at least one. Registers and shared memory may leave room for fewer.
    [[nodiscard]] constexpr std::uint64_t blocks_of(std::uint32_t block) const {
        return std::clamp<std::uint64_t>(threads / std::max(block, 1U), 1, blocks);
    }
};

inline constexpr std::array<Residency, 6> residencies = {
    {{75, 1024, 16}, {80, 2048, 32}, {86, 1536, 16}, {87, 1536, 16}, {89, 1536, 24}, {90, 2048, 32}}};

/// Of the capability, or of the nearest below it that is known.
[[nodiscard]] constexpr Residency residency_of(unsigned arch) {
    Residency found = residencies.front();
    for (const Residency& each : residencies) {
        if (each.arch <= arch) found = each;
    }
    return found;
}

}  // namespace lanescope::timing
