// The end of one pass and the beginning of the next: at block barriers, and between them where a phase of an mbarrier
// or of a named barrier is complete, or where a warp's lanes wait for each other.
#pragma once

#include "analysis/dataflow/provenance.h"
#include "analysis/passes/passes.h"
#include "analysis/passes/traffic.h"
#include "trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

/// The passes of one block's steps, with range, epochs and id: cut where accesses are ordered, then
///   - a pass without traffic joins its neighbor;
///   - a pass that only reads joins the next one if that stores results of its reads: "read, synchronize, write" is one
/// change of the picture, in two halves so that no lane overwrites a value that another has not read yet.
[[nodiscard]] std::vector<Pass> cut_passes(const trace::Trace& trace, const Provenance& provenance,
                                           const Traffic& traffic, std::span<const StepId> steps);

/// The accesses and exchanges of a run of steps.
struct PassActivity {
    bool any = false;      ///< traffic
    bool changes = false;  ///< stores or exchanges, not only loads
    bool stores_global = false;
    bool loads_global = false;
    bool computes = false;  ///< operations that an output depends on
};
[[nodiscard]] PassActivity activity_of(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                                       std::span<const StepId> steps);

/// The phase of each of a block's steps, counted from 0 within its warp's barrier epoch. A new one begins
///   - after a `bar.warp.sync`, with the next access;
///   - with a shuffle or a reduction over the warp: the first, and each that passes on a result of an earlier one of
/// the phase;
///   - with a load of a word that another lane of the warp stored in this phase: the code relies on lockstep.
[[nodiscard]] std::vector<std::uint32_t> phases_of(const trace::Trace& trace, const Provenance& provenance,
                                                   const Traffic& traffic, std::span<const StepId> steps);

}  // namespace lanescope::analysis
