// An access to shared or global memory -> the counters of trace::Counts that it adds to, both while a kernel runs and
// when a recording is counted.
#pragma once

#include "model/model.h"
#include "trace/trace.h"

#include <cstdint>

namespace lanescope::trace {

/// The counters of loads, stores and atomics. All spaces but Space::shared use those of global memory.
struct AccessCounters {
    std::uint64_t& instructions;
    std::uint64_t& cost;  ///< wavefronts of shared memory, sectors of global memory

    AccessCounters(Counts& counts, Space space, EffectKind kind)
        : instructions(space == Space::shared      ? kind == EffectKind::load    ? counts.shared_load_instructions
                                                     : kind == EffectKind::store ? counts.shared_store_instructions
                                                                                 : counts.shared_atomic_instructions
                       : kind == EffectKind::load  ? counts.global_load_instructions
                       : kind == EffectKind::store ? counts.global_store_instructions
                                                   : counts.global_atomic_instructions),
          cost(space == Space::shared      ? kind == EffectKind::load    ? counts.shared_load_wavefronts
                                             : kind == EffectKind::store ? counts.shared_store_wavefronts
                                                                         : counts.shared_atomic_wavefronts
               : kind == EffectKind::load  ? counts.global_load_sectors
               : kind == EffectKind::store ? counts.global_store_sectors
                                           : counts.global_atomic_sectors) {}
};

/// An atomic may be a loop of loads and compare-and-swaps, each with wavefronts of its own.
inline void add_wavefronts(Counts& counts, const model::Wavefronts& wavefronts) {
    counts.shared_load_wavefronts += wavefronts.load;
    counts.shared_store_wavefronts += wavefronts.store;
    counts.shared_atomic_wavefronts += wavefronts.atomic;
}

}  // namespace lanescope::trace
