// A block's needs and a device -> how many of its blocks and warps a multiprocessor holds at once, and which limit they
// meet first. This is theoretical occupancy: the grid has enough blocks.
#pragma once

#include "model/device_limits.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::model {

struct Occupancy {
    enum class Limit : std::uint8_t { blocks, warps, shared_memory, registers };
    std::uint64_t blocks = 0;      ///< resident on a multiprocessor; 0: the device cannot launch the block
    std::uint64_t warps = 0;       ///< of these blocks
    std::uint64_t most_warps = 0;  ///< of a multiprocessor
    std::vector<Limit> limits;     ///< those that allow no further block, in the order of the enumeration
    std::string excess;            ///< why it cannot be launched, a sentence; empty: it can

    [[nodiscard]] double share() const {  ///< of the warps, 0..1
        return most_warps > 0 ? static_cast<double>(warps) / static_cast<double>(most_warps) : 0;
    }
};

/// `block`: its extent in threads. `registers_per_thread` 0: not known, not counted.
[[nodiscard]] Occupancy occupancy(const DeviceLimits& device, const Extent& block, std::uint64_t shared_bytes,
                                  std::uint64_t registers_per_thread = 0);

[[nodiscard]] std::string_view name_of(Occupancy::Limit limit);  ///< "shared memory"

}  // namespace lanescope::model
