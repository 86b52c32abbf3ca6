// A warp's test_wait or try_wait -> which lanes find their phase complete.
#pragma once

#include "execute/emulator/lane_values.h"
#include "execute/simt/atomics.h"

#include <cstdint>
#include <cstring>

namespace lanescope::execute {

struct MbarrierWait {
    LaneMask complete;
    bool one_object = true;  ///< all lanes wait at the same one
};

/// Lanes nearly always test the same phase of one object, so it is tested once for neighbors that do.
[[nodiscard]] inline MbarrierWait mbarrier_wait(const Warp& warp, const MemoryAccess& access, const Region& region,
                                                const Targets& targets) {
    MbarrierWait wait;
    const std::uint32_t first = targets.offset[targets.lanes.lowest()];
    std::uint32_t offset = first;
    std::uint64_t asked = 0;
    bool complete = false, tested = false;
    for (const unsigned lane : targets.lanes) {
        const std::uint64_t operand = low_bytes(access.bytes, cell(warp, access.values[0], lane));
        if (!tested || targets.offset[lane] != offset || operand != asked) {
            tested = true;
            offset = targets.offset[lane];
            asked = operand;
            std::uint64_t object = 0;
            std::memcpy(&object, region.data() + offset, access.bytes);
            complete = barrier_step(*access.barrier_object, object, operand).result != 0;
            wait.one_object = wait.one_object && offset == first;
        }
        if (complete) wait.complete |= LaneMask::only(lane);
    }
    return wait;
}

}  // namespace lanescope::execute
