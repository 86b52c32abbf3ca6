// Where one pass ends and the next begins.
#pragma once

#include "analysis/passes.h"
#include "analysis/provenance.h"
#include "analysis/traffic.h"
#include "trace/trace.h"

#include <span>
#include <vector>

namespace lanescope::analysis {

/// The passes of one block's steps, with range, epochs and id: cut at what orders accesses, then
///   - a pass without traffic joins its neighbour;
///   - a pass that only reads joins the next where that stores what was made of the readings: "read, synchronise, write" is
///     one change of the picture, made in two halves so that nobody overwrites what another lane has yet to read.
[[nodiscard]] std::vector<Pass> cut_passes(const trace::Trace& trace, const Provenance& provenance,
                                           const Traffic& traffic, std::span<const StepId> steps);

/// What a run of steps does to memory and between lanes.
struct Deeds {
    bool any = false;      ///< traffic
    bool changes = false;  ///< stores, exchanges: more than loads
    bool stores_global = false;
    bool loads_global = false;
    bool computes = false;  ///< operator applications that an output depends on
};
[[nodiscard]] Deeds deeds_of(const trace::Trace& trace, const Provenance& provenance, const Traffic& traffic,
                             std::span<const StepId> steps);

}  // namespace lanescope::analysis
