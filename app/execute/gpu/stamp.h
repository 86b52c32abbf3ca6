// PTX -> the same PTX in which each warp stamps when and where it ran: %globaltimer and %clock64 at its start and at
// its end, %smid, and the time that it polled.
//
// A kernel gets one more parameter, its last: the address of a Stamps for each warp of the launch, block by block. The
// memory must hold zeros before the launch. A warp's end is the start of its last `ret` or `exit`: stores that are
// under way then are not waited for. %globaltimer is one clock for the device, in nanoseconds, but coarse: see
// timer_step(). %clock64 counts the cycles of one multiprocessor; those of two are not comparable.
//
// A loop *polls* if it reads global memory at an address that it does not change, by a volatile load, one with an
// order, or an atomic that only reads (an addition of 0, an exchange of what the loop does not change), and neither
// stores nor meets a barrier: an iteration that begins again has found nothing new. The cycles of these iterations are
// summed up, lane by lane. An iteration that a compiler has moved in front of its loop is not counted.
//
// On request each warp also stamps its waits, in their order: at a block barrier that all lanes of a warp meet together
// (PTX ISA 9.7.13.1, `.aligned`) from before the instruction until after it, at an mbarrier from before the first test
// of a phase until after the one that finds it complete. Lanes that continue together leave the same stamp; of other
// lanes, the last one's is kept.
#pragma once

#include "base/result.h"
#include "ptx/module.h"

#include <cstdint>
#include <string>

namespace lanescope::execute {

/// The stamps of one warp, as they lie in the GPU's memory. All zero: the warp did not begin.
struct Stamps {
    std::uint64_t begin = 0, end = 0;                ///< nanoseconds; end 0: it met no `ret` or `exit`
    std::uint64_t begin_cycles = 0, end_cycles = 0;  ///< of its multiprocessor
    std::uint32_t multiprocessor = 0;                ///< %smid + 1
    std::uint32_t waits = 0;                         ///< that were timed, including those without room
    std::uint64_t polled_cycles = 0;   ///< in iterations that found nothing new: of the lane with the most
    std::uint64_t not_first_poll = 0;  ///< the complement of when the first one of them ended
    std::uint64_t last_poll = 0;       ///< when the last one of them ended, nanoseconds
};
inline constexpr std::uint64_t stamp_bytes = sizeof(Stamps);

/// One wait of a warp, as it follows its Stamps.
struct WaitStamp {
    std::uint64_t arrived = 0;  ///< %clock64
    std::uint32_t cycles = 0;   ///< until it continued; those of 2^32 and more are 2^32 - 1
    std::uint32_t kind = 0;     ///< 0: a block barrier, 1: an mbarrier
};
inline constexpr std::uint64_t wait_bytes = sizeof(WaitStamp);

struct Stamped {
    std::string ptx;
    unsigned waits = 0;               ///< room for waits of each warp; 0: none is timed
    std::string waits_not_timed;      ///< why other waits are not timed, a sentence; empty: all are, or none was
                                      ///< requested
    unsigned polling_loops = 0;       ///< that are timed, of all kernels
    bool polls_in_functions = false;  ///< functions that are called have such loops, too: not timed
};

/// `waits`: how many waits of each warp are kept.
[[nodiscard]] Stamped stamp(const ptx::Module& module, unsigned waits = 0);

}  // namespace lanescope::execute
