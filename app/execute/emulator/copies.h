// cp.async: copies from global to shared memory that run asynchronously to the thread that starts them. A copy is
// unordered with later accesses of its own thread until that thread waits: cp.async.wait_group N (all but the last N
// committed groups) or wait_all (PTX ISA 9.7.9.25.2, 9.7.9.25.3). Other threads may rely on it once they have
// synchronized with that thread after its wait.
#pragma once

#include "base/ids.h"
#include "base/lane_mask.h"
#include "execute/emulator/happens_before.h"
#include "execute/emulator/shadow.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace lanescope::execute {

/// The copies of one block.
class Copies {
  public:
    void begin(std::size_t threads);

    /// Lanes of a warp start to copy; the accesses to `shadow`'s memory have this WarpRecord::serial.
    void start(WarpId warp, LaneMask lanes, std::uint32_t serial, Shadow& shadow);
    /// cp.async.commit_group
    void close_group(WarpId warp, LaneMask lanes);
    /// cp.async.wait_group: all committed groups but the last `kept` are complete, at `now`.
    void wait_for_groups(WarpId warp, LaneMask lanes, std::uint64_t kept, Time now);
    /// cp.async.wait_all, and the arrival at an mbarrier when all copies are complete.
    void wait_for_all(WarpId warp, LaneMask lanes, Time now);

    /// When the lane waited for the copy; 0: it has not.
    [[nodiscard]] Time done(std::uint32_t serial, unsigned lane) const;

  private:
    struct Copy {
        std::array<Time, warp_size> done{};
        LaneMask under_way;
        std::vector<Shadow*> touches;
    };
    struct Started {
        std::uint32_t serial = 0;
        std::uint64_t group = 0;
    };
    struct Thread {
        std::uint64_t closed = 0;  ///< groups
        std::vector<Started> under_way;
    };
    template <class Ends>
    void finish(unsigned thread, Time now, Ends ends);

    std::vector<Thread> threads_;
    std::unordered_map<std::uint32_t, Copy> copies_;  ///< by serial
};

}  // namespace lanescope::execute
