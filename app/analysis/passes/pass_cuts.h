// Where one pass ends and the next begins: at block barriers, and between them where a warp's lanes wait for each
// other.
#pragma once

#include "analysis/dataflow/provenance.h"
#include "analysis/passes/passes.h"
#include "analysis/passes/traffic.h"
#include "trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

/// The passes of one block's steps, with range, epochs and id: cut at what orders accesses, then
///   - a pass without traffic joins its neighbour;
///   - a pass that only reads joins the next where that stores what was made of the readings: "read, synchronize,
///     write" is one change of the picture, made in two halves so that no lane overwrites what another has yet to read.
[[nodiscard]] std::vector<Pass> cut_passes(const trace::Trace& trace, const Provenance& provenance,
                                           const Traffic& traffic, std::span<const StepId> steps);

/// What a run of steps does to memory and between lanes.
struct PassActivity {
    bool any = false;      ///< traffic
    bool changes = false;  ///< stores, exchanges: more than loads
    bool stores_global = false;
    bool loads_global = false;
    bool computes = false;  ///< operations that an output depends on
};
[[nodiscard]] PassActivity activity_of(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                                       std::span<const StepId> steps);

/// The phase of each of a block's steps, counted from 0 within its warp's barrier epoch. A new one begins
///   - after a `bar.warp.sync`, with the next access;
///   - with a shuffle or a reduction over the warp: the first, and each that sends on what an earlier one of the phase
///     brought;
///   - with a load of what another lane of the warp stored in this phase: the code relies on lockstep.
[[nodiscard]] std::vector<std::uint32_t> phases_of(const trace::Trace& trace, const Provenance& provenance,
                                                   const Traffic& traffic, std::span<const StepId> steps);

}  // namespace lanescope::analysis
