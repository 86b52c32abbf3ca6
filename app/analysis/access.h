// What the hardware has to do for a memory access of a trace: the model's kind of access, and its addresses.
#pragma once

#include "analysis/code.h"
#include "model/model.h"
#include "trace/trace.h"

namespace lanescope::analysis {

/// How the memory unit serves the effect, which must be a load, store or atomic; README, "How conflicts are counted".
[[nodiscard]] model::Access access_of(const trace::Effect& effect, const CodeLine* line);

/// The shared memory that the trace's counts hold for.
[[nodiscard]] inline model::BankModel banks_of(const trace::Trace& trace) {
    return trace.origin.banks == 16 ? model::BankModel::compute_capability_1() : model::BankModel{};
}

/// The lanes' byte addresses; 0 for lanes that take no part.
[[nodiscard]] model::Addresses addresses_of(const trace::Trace& trace, const trace::Effect& effect);

/// Bytes that a lane moves, all elements of a vector access together.
[[nodiscard]] inline unsigned bytes_per_lane(const trace::Effect& effect) {
    return unsigned{effect.bytes} * effect.elements;
}

}  // namespace lanescope::analysis
