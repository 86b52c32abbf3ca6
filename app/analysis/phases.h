// Where a warp's lanes wait for each other between two block barriers: code that is synchronised by warp, or by lockstep.
#pragma once

#include "analysis/passes.h"
#include "analysis/provenance.h"
#include "analysis/traffic.h"
#include "trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace lanescope::analysis {

/// The phase of each of a block's steps, counted from 0 within its warp's barrier epoch. A new one begins
///   - after a `bar.warp.sync`, with the next access;
///   - with a shuffle or a reduction over the warp: the first, and each that sends on what an earlier one of the phase brought;
///   - with a load of what another lane of the warp stored in this phase: the code relies on lockstep.
[[nodiscard]] std::vector<std::uint32_t> phases_of(const trace::Trace& trace, const Provenance& provenance,
                                                   const Traffic& traffic, std::span<const StepId> steps);

}  // namespace lanescope::analysis
